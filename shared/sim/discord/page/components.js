/*! @skyra/discord-components-core 4.0.2 (MIT) with Lit (BSD-3-Clause), made by "make page". Licences: components.LICENSE.txt */
var Ie="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'%3E%3Crect width='1' height='1' fill='%235865f2'/%3E%3C/svg%3E";globalThis.$discordMessage={avatars:{default:Ie,blue:Ie,gray:Ie,green:Ie,orange:Ie,red:Ie,pink:Ie}};var jt=globalThis,St=jt.ShadowRoot&&(jt.ShadyCSS===void 0||jt.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,Mi=Symbol(),ps=new WeakMap,pt=class{constructor(e,s,t){if(this._$cssResult$=!0,t!==Mi)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=s}get styleSheet(){let e=this.o,s=this.t;if(St&&e===void 0){let t=s!==void 0&&s.length===1;t&&(e=ps.get(s)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),t&&ps.set(s,e))}return e}toString(){return this.cssText}},us=i=>new pt(typeof i=="string"?i:i+"",void 0,Mi),G=(i,...e)=>{let s=i.length===1?i[0]:e.reduce((t,a,h)=>t+(r=>{if(r._$cssResult$===!0)return r.cssText;if(typeof r=="number")return r;throw Error("Value passed to 'css' function must be a 'css' function result: "+r+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(a)+i[h+1],i[0]);return new pt(s,i,Mi)},gs=(i,e)=>{if(St)i.adoptedStyleSheets=e.map(s=>s instanceof CSSStyleSheet?s:s.styleSheet);else for(let s of e){let t=document.createElement("style"),a=jt.litNonce;a!==void 0&&t.setAttribute("nonce",a),t.textContent=s.cssText,i.appendChild(t)}},xi=St?i=>i:i=>i instanceof CSSStyleSheet?(e=>{let s="";for(let t of e.cssRules)s+=t.cssText;return us(s)})(i):i;var{is:Ys,defineProperty:ea,getOwnPropertyDescriptor:ta,getOwnPropertyNames:ia,getOwnPropertySymbols:sa,getPrototypeOf:aa}=Object,Dt=globalThis,zs=Dt.trustedTypes,ra=zs?zs.emptyScript:"",oa=Dt.reactiveElementPolyfillSupport,ut=(i,e)=>i,gt={toAttribute(i,e){switch(e){case Boolean:i=i?ra:null;break;case Object:case Array:i=i==null?i:JSON.stringify(i)}return i},fromAttribute(i,e){let s=i;switch(e){case Boolean:s=i!==null;break;case Number:s=i===null?null:Number(i);break;case Object:case Array:try{s=JSON.parse(i)}catch{s=null}}return s}},It=(i,e)=>!Ys(i,e),_s={attribute:!0,type:String,converter:gt,reflect:!1,useDefault:!1,hasChanged:It};Symbol.metadata??=Symbol("metadata"),Dt.litPropertyMetadata??=new WeakMap;var Ce=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,s=_s){if(s.state&&(s.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((s=Object.create(s)).wrapped=!0),this.elementProperties.set(e,s),!s.noAccessor){let t=Symbol(),a=this.getPropertyDescriptor(e,t,s);a!==void 0&&ea(this.prototype,e,a)}}static getPropertyDescriptor(e,s,t){let{get:a,set:h}=ta(this.prototype,e)??{get(){return this[s]},set(r){this[s]=r}};return{get:a,set(r){let c=a?.call(this);h?.call(this,r),this.requestUpdate(e,c,t)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??_s}static _$Ei(){if(this.hasOwnProperty(ut("elementProperties")))return;let e=aa(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(ut("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(ut("properties"))){let s=this.properties,t=[...ia(s),...sa(s)];for(let a of t)this.createProperty(a,s[a])}let e=this[Symbol.metadata];if(e!==null){let s=litPropertyMetadata.get(e);if(s!==void 0)for(let[t,a]of s)this.elementProperties.set(t,a)}this._$Eh=new Map;for(let[s,t]of this.elementProperties){let a=this._$Eu(s,t);a!==void 0&&this._$Eh.set(a,s)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let s=[];if(Array.isArray(e)){let t=new Set(e.flat(1/0).reverse());for(let a of t)s.unshift(xi(a))}else e!==void 0&&s.push(xi(e));return s}static _$Eu(e,s){let t=s.attribute;return t===!1?void 0:typeof t=="string"?t:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,s=this.constructor.elementProperties;for(let t of s.keys())this.hasOwnProperty(t)&&(e.set(t,this[t]),delete this[t]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return gs(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,s,t){this._$AK(e,t)}_$ET(e,s){let t=this.constructor.elementProperties.get(e),a=this.constructor._$Eu(e,t);if(a!==void 0&&t.reflect===!0){let h=(t.converter?.toAttribute!==void 0?t.converter:gt).toAttribute(s,t.type);this._$Em=e,h==null?this.removeAttribute(a):this.setAttribute(a,h),this._$Em=null}}_$AK(e,s){let t=this.constructor,a=t._$Eh.get(e);if(a!==void 0&&this._$Em!==a){let h=t.getPropertyOptions(a),r=typeof h.converter=="function"?{fromAttribute:h.converter}:h.converter?.fromAttribute!==void 0?h.converter:gt;this._$Em=a;let c=r.fromAttribute(s,h.type);this[a]=c??this._$Ej?.get(a)??c,this._$Em=null}}requestUpdate(e,s,t,a=!1,h){if(e!==void 0){let r=this.constructor;if(a===!1&&(h=this[e]),t??=r.getPropertyOptions(e),!((t.hasChanged??It)(h,s)||t.useDefault&&t.reflect&&h===this._$Ej?.get(e)&&!this.hasAttribute(r._$Eu(e,t))))return;this.C(e,s,t)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,s,{useDefault:t,reflect:a,wrapped:h},r){t&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,r??s??this[e]),h!==!0||r!==void 0)||(this._$AL.has(e)||(this.hasUpdated||t||(s=void 0),this._$AL.set(e,s)),a===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(s){Promise.reject(s)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[a,h]of this._$Ep)this[a]=h;this._$Ep=void 0}let t=this.constructor.elementProperties;if(t.size>0)for(let[a,h]of t){let{wrapped:r}=h,c=this[a];r!==!0||this._$AL.has(a)||c===void 0||this.C(a,void 0,h,c)}}let e=!1,s=this._$AL;try{e=this.shouldUpdate(s),e?(this.willUpdate(s),this._$EO?.forEach(t=>t.hostUpdate?.()),this.update(s)):this._$EM()}catch(t){throw e=!1,this._$EM(),t}e&&this._$AE(s)}willUpdate(e){}_$AE(e){this._$EO?.forEach(s=>s.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(s=>this._$ET(s,this[s])),this._$EM()}updated(e){}firstUpdated(e){}};Ce.elementStyles=[],Ce.shadowRootOptions={mode:"open"},Ce[ut("elementProperties")]=new Map,Ce[ut("finalized")]=new Map,oa?.({ReactiveElement:Ce}),(Dt.reactiveElementVersions??=[]).push("2.1.2");var Hi=globalThis,bs=i=>i,Bt=Hi.trustedTypes,ys=Bt?Bt.createPolicy("lit-html",{createHTML:i=>i}):void 0,$i="$lit$",ke=`lit$${Math.random().toFixed(9).slice(2)}$`,Ci="?"+ke,ha=`<${Ci}>`,Le=document,_t=()=>Le.createComment(""),bt=i=>i===null||typeof i!="object"&&typeof i!="function",ki=Array.isArray,Cs=i=>ki(i)||typeof i?.[Symbol.iterator]=="function",wi=`[ 	
\f\r]`,zt=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Ms=/-->/g,xs=/>/g,Be=RegExp(`>|${wi}(?:([^\\s"'>=/]+)(${wi}*=${wi}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),ws=/'/g,Hs=/"/g,ks=/^(?:script|style|textarea|title)$/i,Ti=i=>(e,...s)=>({_$litType$:i,strings:e,values:s}),l=Ti(1),w=Ti(2),Er=Ti(3),ne=Symbol.for("lit-noChange"),ee=Symbol.for("lit-nothing"),$s=new WeakMap,Oe=Le.createTreeWalker(Le,129);function Ts(i,e){if(!ki(i)||!i.hasOwnProperty("raw"))throw Error("invalid template strings array");return ys!==void 0?ys.createHTML(e):e}var Es=(i,e)=>{let s=i.length-1,t=[],a,h=e===2?"<svg>":e===3?"<math>":"",r=zt;for(let c=0;c<s;c++){let u=i[c],v,n,o=-1,M=0;for(;M<u.length&&(r.lastIndex=M,n=r.exec(u),n!==null);)M=r.lastIndex,r===zt?n[1]==="!--"?r=Ms:n[1]!==void 0?r=xs:n[2]!==void 0?(ks.test(n[2])&&(a=RegExp("</"+n[2],"g")),r=Be):n[3]!==void 0&&(r=Be):r===Be?n[0]===">"?(r=a??zt,o=-1):n[1]===void 0?o=-2:(o=r.lastIndex-n[2].length,v=n[1],r=n[3]===void 0?Be:n[3]==='"'?Hs:ws):r===Hs||r===ws?r=Be:r===Ms||r===xs?r=zt:(r=Be,a=void 0);let _=r===Be&&i[c+1].startsWith("/>")?" ":"";h+=r===zt?u+ha:o>=0?(t.push(v),u.slice(0,o)+$i+u.slice(o)+ke+_):u+ke+(o===-2?c:_)}return[Ts(i,h+(i[s]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),t]},yt=class i{constructor({strings:e,_$litType$:s},t){let a;this.parts=[];let h=0,r=0,c=e.length-1,u=this.parts,[v,n]=Es(e,s);if(this.el=i.createElement(v,t),Oe.currentNode=this.el.content,s===2||s===3){let o=this.el.content.firstChild;o.replaceWith(...o.childNodes)}for(;(a=Oe.nextNode())!==null&&u.length<c;){if(a.nodeType===1){if(a.hasAttributes())for(let o of a.getAttributeNames())if(o.endsWith($i)){let M=n[r++],_=a.getAttribute(o).split(ke),z=/([.?@])?(.*)/.exec(M);u.push({type:1,index:h,name:z[2],strings:_,ctor:z[1]==="."?Lt:z[1]==="?"?Pt:z[1]==="@"?Nt:Ne}),a.removeAttribute(o)}else o.startsWith(ke)&&(u.push({type:6,index:h}),a.removeAttribute(o));if(ks.test(a.tagName)){let o=a.textContent.split(ke),M=o.length-1;if(M>0){a.textContent=Bt?Bt.emptyScript:"";for(let _=0;_<M;_++)a.append(o[_],_t()),Oe.nextNode(),u.push({type:2,index:++h});a.append(o[M],_t())}}}else if(a.nodeType===8)if(a.data===Ci)u.push({type:2,index:h});else{let o=-1;for(;(o=a.data.indexOf(ke,o+1))!==-1;)u.push({type:7,index:h}),o+=ke.length-1}h++}}static createElement(e,s){let t=Le.createElement("template");return t.innerHTML=e,t}};function Pe(i,e,s=i,t){if(e===ne)return e;let a=t!==void 0?s._$Co?.[t]:s._$Cl,h=bt(e)?void 0:e._$litDirective$;return a?.constructor!==h&&(a?._$AO?.(!1),h===void 0?a=void 0:(a=new h(i),a._$AT(i,s,t)),t!==void 0?(s._$Co??=[])[t]=a:s._$Cl=a),a!==void 0&&(e=Pe(i,a._$AS(i,e.values),a,t)),e}var Ot=class{constructor(e,s){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=s}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:s},parts:t}=this._$AD,a=(e?.creationScope??Le).importNode(s,!0);Oe.currentNode=a;let h=Oe.nextNode(),r=0,c=0,u=t[0];for(;u!==void 0;){if(r===u.index){let v;u.type===2?v=new Ke(h,h.nextSibling,this,e):u.type===1?v=new u.ctor(h,u.name,u.strings,this,e):u.type===6&&(v=new Rt(h,this,e)),this._$AV.push(v),u=t[++c]}r!==u?.index&&(h=Oe.nextNode(),r++)}return Oe.currentNode=Le,a}p(e){let s=0;for(let t of this._$AV)t!==void 0&&(t.strings!==void 0?(t._$AI(e,t,s),s+=t.strings.length-2):t._$AI(e[s])),s++}},Ke=class i{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,s,t,a){this.type=2,this._$AH=ee,this._$AN=void 0,this._$AA=e,this._$AB=s,this._$AM=t,this.options=a,this._$Cv=a?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,s=this._$AM;return s!==void 0&&e?.nodeType===11&&(e=s.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,s=this){e=Pe(this,e,s),bt(e)?e===ee||e==null||e===""?(this._$AH!==ee&&this._$AR(),this._$AH=ee):e!==this._$AH&&e!==ne&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):Cs(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==ee&&bt(this._$AH)?this._$AA.nextSibling.data=e:this.T(Le.createTextNode(e)),this._$AH=e}$(e){let{values:s,_$litType$:t}=e,a=typeof t=="number"?this._$AC(e):(t.el===void 0&&(t.el=yt.createElement(Ts(t.h,t.h[0]),this.options)),t);if(this._$AH?._$AD===a)this._$AH.p(s);else{let h=new Ot(a,this),r=h.u(this.options);h.p(s),this.T(r),this._$AH=h}}_$AC(e){let s=$s.get(e.strings);return s===void 0&&$s.set(e.strings,s=new yt(e)),s}k(e){ki(this._$AH)||(this._$AH=[],this._$AR());let s=this._$AH,t,a=0;for(let h of e)a===s.length?s.push(t=new i(this.O(_t()),this.O(_t()),this,this.options)):t=s[a],t._$AI(h),a++;a<s.length&&(this._$AR(t&&t._$AB.nextSibling,a),s.length=a)}_$AR(e=this._$AA.nextSibling,s){for(this._$AP?.(!1,!0,s);e!==this._$AB;){let t=bs(e).nextSibling;bs(e).remove(),e=t}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},Ne=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,s,t,a,h){this.type=1,this._$AH=ee,this._$AN=void 0,this.element=e,this.name=s,this._$AM=a,this.options=h,t.length>2||t[0]!==""||t[1]!==""?(this._$AH=Array(t.length-1).fill(new String),this.strings=t):this._$AH=ee}_$AI(e,s=this,t,a){let h=this.strings,r=!1;if(h===void 0)e=Pe(this,e,s,0),r=!bt(e)||e!==this._$AH&&e!==ne,r&&(this._$AH=e);else{let c=e,u,v;for(e=h[0],u=0;u<h.length-1;u++)v=Pe(this,c[t+u],s,u),v===ne&&(v=this._$AH[u]),r||=!bt(v)||v!==this._$AH[u],v===ee?e=ee:e!==ee&&(e+=(v??"")+h[u+1]),this._$AH[u]=v}r&&!a&&this.j(e)}j(e){e===ee?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},Lt=class extends Ne{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===ee?void 0:e}},Pt=class extends Ne{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==ee)}},Nt=class extends Ne{constructor(e,s,t,a,h){super(e,s,t,a,h),this.type=5}_$AI(e,s=this){if((e=Pe(this,e,s,0)??ee)===ne)return;let t=this._$AH,a=e===ee&&t!==ee||e.capture!==t.capture||e.once!==t.once||e.passive!==t.passive,h=e!==ee&&(t===ee||a);a&&this.element.removeEventListener(this.name,this,t),h&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},Rt=class{constructor(e,s,t){this.element=e,this.type=6,this._$AN=void 0,this._$AM=s,this.options=t}get _$AU(){return this._$AM._$AU}_$AI(e){Pe(this,e)}},Vs={M:$i,P:ke,A:Ci,C:1,L:Es,R:Ot,D:Cs,V:Pe,I:Ke,H:Ne,N:Pt,U:Nt,B:Lt,F:Rt},la=Hi.litHtmlPolyfillSupport;la?.(yt,Ke),(Hi.litHtmlVersions??=[]).push("3.3.3");var As=(i,e,s)=>{let t=s?.renderBefore??e,a=t._$litPart$;if(a===void 0){let h=s?.renderBefore??null;t._$litPart$=a=new Ke(e.insertBefore(_t(),h),h,void 0,s??{})}return a._$AI(i),a};var Ei=globalThis,q=class extends Ce{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let s=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=As(s,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return ne}};q._$litElement$=!0,q.finalized=!0,Ei.litElementHydrateSupport?.({LitElement:q});var na=Ei.litElementPolyfillSupport;na?.({LitElement:q});(Ei.litElementVersions??=[]).push("4.2.2");var K=i=>(e,s)=>{s!==void 0?s.addInitializer(()=>{customElements.define(i,e)}):customElements.define(i,e)};var ca={attribute:!0,type:String,converter:gt,reflect:!1,hasChanged:It},da=(i=ca,e,s)=>{let{kind:t,metadata:a}=s,h=globalThis.litPropertyMetadata.get(a);if(h===void 0&&globalThis.litPropertyMetadata.set(a,h=new Map),t==="setter"&&((i=Object.create(i)).wrapped=!0),h.set(s.name,i),t==="accessor"){let{name:r}=s;return{set(c){let u=e.get.call(this);e.set.call(this,c),this.requestUpdate(r,u,i,!0,c)},init(c){return c!==void 0&&this.C(r,void 0,i,c),c}}}if(t==="setter"){let{name:r}=s;return function(c){let u=this[r];e.call(this,c),this.requestUpdate(r,u,i,!0,c)}}throw Error("Unsupported decorator location: "+t)};function g(i){return(e,s)=>typeof s=="object"?da(i,e,s):((t,a,h)=>{let r=a.hasOwnProperty(h);return a.constructor.createProperty(h,t),r?Object.getOwnPropertyDescriptor(a,h):void 0})(i,e,s)}var ma=function(i,e,s,t,a,h){function r(p){if(p!==void 0&&typeof p!="function")throw new TypeError("Function expected");return p}for(var c=t.kind,u=c==="getter"?"get":c==="setter"?"set":"value",v=!e&&i?t.static?i:i.prototype:null,n=e||(v?Object.getOwnPropertyDescriptor(v,t.name):{}),o,M=!1,_=s.length-1;_>=0;_--){var z={};for(var f in t)z[f]=f==="access"?{}:t[f];for(var f in t.access)z.access[f]=t.access[f];z.addInitializer=function(p){if(M)throw new TypeError("Cannot add initializers after decoration has completed");h.push(r(p||null))};var d=(0,s[_])(c==="accessor"?{get:n.get,set:n.set}:n[u],z);if(c==="accessor"){if(d===void 0)continue;if(d===null||typeof d!="object")throw new TypeError("Object expected");(o=r(d.get))&&(n.get=o),(o=r(d.set))&&(n.set=o),(o=r(d.init))&&a.unshift(o)}else(o=r(d))&&(c==="field"?a.unshift(o):n[u]=o)}v&&Object.defineProperty(v,t.name,n),M=!0},fa=function(i,e,s){for(var t=arguments.length>2,a=0;a<e.length;a++)s=t?e[a].call(i,s):e[a].call(i);return t?s:void 0},js=(()=>{let i=[K("discord-action-row")],e,s=[],t,a=q;var h=class extends a{static{t=this}static{let r=typeof Symbol=="function"&&Symbol.metadata?Object.create(a[Symbol.metadata]??null):void 0;ma(null,e={value:t},i,{kind:"class",name:t.name,metadata:r},null,s),h=t=e.value,r&&Object.defineProperty(t,Symbol.metadata,{enumerable:!0,configurable:!0,writable:!0,value:r})}static styles=G`
		:host {
			display: flex;
			flex-wrap: wrap;
		}
	`;render(){return l`<slot></slot>`}static{fa(t,s)}};return h=t})();var Ae=class extends Event{constructor(e,s,t,a){super("context-request",{bubbles:!0,composed:!0}),this.context=e,this.contextTarget=s,this.callback=t,this.subscribe=a??!1}};var Je=class{constructor(e,s,t,a){if(this.subscribe=!1,this.provided=!1,this.value=void 0,this.t=(h,r)=>{this.unsubscribe&&(this.unsubscribe!==r&&(this.provided=!1,this.unsubscribe()),this.subscribe||this.unsubscribe()),this.value=h,this.host.requestUpdate(),this.provided&&!this.subscribe||(this.provided=!0,this.callback&&this.callback(h,r)),this.unsubscribe=r},this.host=e,s.context!==void 0){let h=s;this.context=h.context,this.callback=h.callback,this.subscribe=h.subscribe??!1}else this.context=s,this.callback=t,this.subscribe=a??!1;this.host.addController(this)}hostConnected(){this.dispatchRequest()}hostDisconnected(){this.unsubscribe&&(this.unsubscribe(),this.unsubscribe=void 0)}dispatchRequest(){this.host.dispatchEvent(new Ae(this.context,this.host,this.t,this.subscribe))}};var Ft=class{get value(){return this.o}set value(e){this.setValue(e)}setValue(e,s=!1){let t=s||!Object.is(e,this.o);this.o=e,t&&this.updateObservers()}constructor(e){this.subscriptions=new Map,this.updateObservers=()=>{for(let[s,{disposer:t}]of this.subscriptions)s(this.o,t)},e!==void 0&&(this.value=e)}addCallback(e,s,t){if(!t)return void e(this.value);this.subscriptions.has(e)||this.subscriptions.set(e,{disposer:()=>{this.subscriptions.delete(e)},consumerHost:s});let{disposer:a}=this.subscriptions.get(e);e(this.value,a)}clearCallbacks(){this.subscriptions.clear()}};var Vi=class extends Event{constructor(e,s){super("context-provider",{bubbles:!0,composed:!0}),this.context=e,this.contextTarget=s}},Qe=class extends Ft{constructor(e,s,t){super(s.context!==void 0?s.initialValue:t),this.onContextRequest=a=>{if(a.context!==this.context)return;let h=a.contextTarget??a.composedPath()[0];h!==this.host&&(a.stopPropagation(),this.addCallback(a.callback,h,a.subscribe))},this.onProviderRequest=a=>{if(a.context!==this.context||(a.contextTarget??a.composedPath()[0])===this.host)return;let h=new Set;for(let[r,{consumerHost:c}]of this.subscriptions)h.has(r)||(h.add(r),c.dispatchEvent(new Ae(this.context,c,r,!0)));a.stopPropagation()},this.host=e,s.context!==void 0?this.context=s.context:this.context=s,this.attachListeners(),this.host.addController?.(this)}attachListeners(){this.host.addEventListener("context-request",this.onContextRequest),this.host.addEventListener("context-provider",this.onProviderRequest)}hostConnected(){this.host.dispatchEvent(new Vi(this.context,this.host))}};function Mt({context:i}){return(e,s)=>{let t=new WeakMap;if(typeof s=="object")return{get(){return e.get.call(this)},set(a){return t.get(this).setValue(a),e.set.call(this,a)},init(a){return t.set(this,new Qe(this,{context:i,initialValue:a})),a}};{e.constructor.addInitializer((r=>{t.set(r,new Qe(r,{context:i}))}));let a=Object.getOwnPropertyDescriptor(e,s),h;if(a===void 0){let r=new WeakMap;h={get(){return r.get(this)},set(c){t.get(this).setValue(c),r.set(this,c)},configurable:!0,enumerable:!0}}else{let r=a.set;h={...a,set(c){t.get(this).setValue(c),r?.call(this,c)}}}return void Object.defineProperty(e,s,h)}}}function Y({context:i,subscribe:e}){return(s,t)=>{typeof t=="object"?t.addInitializer((function(){new Je(this,{context:i,callback:a=>{s.set.call(this,a)},subscribe:e})})):s.constructor.addInitializer((a=>{new Je(a,{context:i,callback:h=>{a[t]=h},subscribe:e})}))}}function O(i,e,s){return i?e(i):s?.(i)}var{I:Go}=Vs;var Ss=i=>i.strings===void 0;var qt={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},Re=i=>(...e)=>({_$litDirective$:i,values:e}),je=class{constructor(e){}get _$AU(){return this._$AM._$AU}_$AT(e,s,t){this._$Ct=e,this._$AM=s,this._$Ci=t}_$AS(e,s){return this.update(e,s)}update(e,s){return this.render(...s)}};var xt=(i,e)=>{let s=i._$AN;if(s===void 0)return!1;for(let t of s)t._$AO?.(e,!1),xt(t,e);return!0},Zt=i=>{let e,s;do{if((e=i._$AM)===void 0)break;s=e._$AN,s.delete(i),i=e}while(s?.size===0)},Ds=i=>{for(let e;e=i._$AM;i=e){let s=e._$AN;if(s===void 0)e._$AN=s=new Set;else if(s.has(i))break;s.add(i),ga(e)}};function pa(i){this._$AN!==void 0?(Zt(this),this._$AM=i,Ds(this)):this._$AM=i}function ua(i,e=!1,s=0){let t=this._$AH,a=this._$AN;if(a!==void 0&&a.size!==0)if(e)if(Array.isArray(t))for(let h=s;h<t.length;h++)xt(t[h],!1),Zt(t[h]);else t!=null&&(xt(t,!1),Zt(t));else xt(this,i)}var ga=i=>{i.type==qt.CHILD&&(i._$AP??=ua,i._$AQ??=pa)},Wt=class extends je{constructor(){super(...arguments),this._$AN=void 0}_$AT(e,s,t){super._$AT(e,s,t),Ds(this),this.isConnected=e._$AU}_$AO(e,s=!0){e!==this.isConnected&&(this.isConnected=e,e?this.reconnected?.():this.disconnected?.()),s&&(xt(this,e),Zt(this))}setValue(e){if(Ss(this._$Ct))this._$Ct._$AI(e,this);else{let s=[...this._$Ct._$AH];s[this._$Ci]=e,this._$Ct._$AI(s,this,0)}}disconnected(){}reconnected(){}};var Ai=class extends Wt{host;element;prevData={};eventData={};render(e){return ee}update(e,[s]){this.element!==e.element&&(this.element=e.element),this.host=e.options?.host??this.element,this.apply(s),this.groom(s),this.prevData={...s}}apply(e){if(!e)return;let{prevData:s,element:t}=this;for(let[a,h]of Object.entries(e)){if(h===s[a])continue;let r=a.slice(1);switch(a[0]){case"@":this.eventData[r]=h,this.applyEvent(r,h);break;case".":t[r]=h;break;case"?":h?t.setAttribute(r,""):t.removeAttribute(r);break;default:h===null?t.removeAttribute(a):t.setAttribute(a,String(h));break}}}groom(e){let{prevData:s,element:t}=this;if(s)for(let[a,h]of Object.entries(s)){let r=a.slice(1);if(!e||!(a in e)&&t[r]===h)switch(a[0]){case"@":this.groomEvent(r,h);break;case".":t[r]=void 0;break;case"?":t.removeAttribute(r);break;default:t.removeAttribute(a);break}}}applyEvent(e,s){let{prevData:t,element:a}=this;this.eventData[e]=s,t[e]&&a.removeEventListener(e,this,s),a.addEventListener(e,this,s)}groomEvent(e,s){let{element:t}=this;Reflect.deleteProperty(this.eventData,e),t.removeEventListener(e,this,s)}handleEvent(e){let s=this.eventData[e.type];typeof s=="function"?s.call(this.host,e):s.handleEvent(e)}disconnected(){let{eventData:e,element:s}=this;for(let[t,a]of Object.entries(e)){let h=t.slice(1);s.removeEventListener(h,this,a)}}reconnected(){let{eventData:e,element:s}=this;for(let[t,a]of Object.entries(e)){let h=t.slice(1);s.addEventListener(h,this,a)}}},H=Re(Ai);var za=w`
	<path d="M5.688 3.5v.438H5.25v.438h-.438V1.313h-.438V.875h-.436V.438H3.5v6.125h2.625v-.438H5.25v-.438h.438v-.438h.438v-.438h.438V3.5z" fill="#b79cf8"/>
	<path d="M3.063.438v.438h-.438v.438h-.437v3.5h-.875v-.438H.438v1.75h.438v.438h2.625V.438z" fill="#ff7fc0"/>
	<path d="M3.938 0h-.875v.438h.875zm-.875.438h-.438v.438h.438z" fill="#000"/>
	<path d="M3.938.438h-.875v.438h.875zm-.875.437h-.438v.438h.438zm0 1.75h-.438v.438h.438z" fill="#f0f0f0"/>
	<path d="M2.188 5.25H1.75v.438h.438z" fill="#ffa5d3"/>
	<path d="M2.625 5.25h-.437v.438h.438zm-1.75.438H.438v.438h.438zm2.625.438H.875v.438H3.5z" fill="#ff1c90"/>
	<path d="M1.75 5.688h-.437v.438h.438zm-.438-.438H.875v.438h.438zm1.313-.875V3.5h-.437v1.313h.438v1.313h.438v-1.75zm.438-3.5v1.313h-.438v.438h.438v1.313h.438V.875z" fill="#ffa5d3"/>
	<path d="M6.125 3.5h-.438v.438h.438zm-.438.438h-.438v.438h.438zm-3.5.875h-.874v.438h.875zm-.875-.438H.438v.438h.875z" fill="#f0f0f0"/>
	<path d="M.875 5.25v-.875H.438v.875z" fill="#f0f0f0"/>
	<path d="M4.813 1.313h-.438v.438h.438z" fill="#cdbafa"/>
	<path d="M2.625 1.313h-.437v1.313h.438z" fill="#f0f0f0"/>
	<path d="M4.375.438h-.437v.438h.438zm.438.438h-.438v.438h.438zM2.625 4.814h-.437v.438h.438zm3.938 0h-.438v.438h.438zm-.875.438v.438H5.25v.438h.875v-.875zm.438.875v.438H.875v.438h5.688v-.875zM.875 6.125H.438v.438h.438zM7 3.062H5.687V3.5H7zm-5.687.876H0v.438h1.313z" fill="#000"/>
	<path d="M.438 6.125V3.938H0v2.188zm6.563-1.313V3.5h-.438v1.313zM2.625.875h-.437v.438h.438zm-.875.438v3.063h-.437v.438h.875V1.313zm3.5 2.188V1.313h-.438v3.063h.438v-.438h.438V3.5z" fill="#000"/>
	<path d="M3.938.875H3.5v.875h.438zm.438 1.75V1.75h-.438V3.5h.438v.438h.438V2.625zm.875 1.75h-.438v.438h.438zm-1.313 0H3.5v1.313h.438zm.875 1.313h-.438v.438h.438zm0-.875h-.438v.438h.438zm.438.438h-.438v.438h.438z" fill="#cdbafa"/>
	<path d="M5.25 6.125v-.438h-.438v.438H3.5v.438h2.625v-.438zm.438-.875H5.25v.438h.438zm.438-.438h-.438v.438h.438z" fill="#816bee"/>
`;function Gt(i={}){return l`<svg
		${H(i)}
		aria-hidden="true"
		role="img"
		width="14"
		height="14"
		viewBox="0 0 7 7"
		fill="none"
		xmlns="http://www.w3.org/2000/svg"
	>
		${za}
	</svg>`}var _a=w`
	<path d="M4.375 1.75v-.437h-.437V.438h-.875v.875h-.438v.438h-.437v.438h.438v.438h.438v.438h.875v-.44h.438v-.437h.438V1.75z" fill="#47baff"/>
	<path d="M4.375 5.25v.438h-.437v.875h-.875v-.875h-.438V5.25h-.437v-.438h.438v-.438h.438v-.436h.875v.438h.438v.438h.438v.438z" fill="#ff2c52"/>
	<path d="M3.063 0v.438h.875V0z" fill="#000"/>
	<path d="M3.063.438v.438h.875V.438z" fill="#f0f0f0"/>
	<path d="M3.063 2.625v.438h.875v-.438z" fill="#4282d8"/>
	<path d="M3.063.438h-.438v.875h.438zM.438 3.063H0v.875h.438zm.875 0v-.438H.438v.438zm1.313-1.75h-.438v.438h.438z" fill="#000"/>
	<path d="M2.625 1.75h-.437v.438h.438zm.438-.438h-.438v.438h.438zm0 2.625v.438h.875v-.437z" fill="#f0f0f0"/>
	<path d="M3.063 6.125v.438h.875v-.438zm0-.875h-.438v.438h.438zm-.438-.438h-.437v.438h.438z" fill="#be0351"/>
	<path d="M3.063 4.375h-.438v.438h.438z" fill="#f0f0f0"/>
	<path d="M3.938 5.688h.438V5.25h-.438zm.438-.438h.438v-.438h-.438zm-.438-.438h.438v-.438h-.438z" fill="#be0351"/>
	<path d="M3.5 1.75h-.437v.438h.438z" fill="#f0f0f0"/>
	<path d="M4.375 2.188h-.437v.438h.438zm.438-.438h-.438v.438h.438z" fill="#4282d8"/>
	<path d="M5.25 4.375h.438v-.437h.875v-.875h-.875v-.438H5.25v-.437h-.438v.438h-.438v.438h-.436v.875h.438v.438h.438v.438h.438z" fill="#C7C7C7"/>
	<path d="M6.563 3.063h-.438v.875h.438z" fill="#707070"/>
	<path d="M5.25 2.625v-.437h-.438v.438zm-.438.438v-.438h-.438v.438z" fill="#fff"/>
	<path d="M4.813 4.375v-.437h-.438v.438zm-.438-.438V3.5h-.437v.438zm1.313.438v-.437H5.25v.438zm-.438.438v-.438h-.438v.438z" fill="#707070"/>
	<path d="M1.75 4.375h-.437v-.437H.438v-.875h.875v-.438h.438v-.437h.438v.438h.438v.438h.438v.875h-.44v.438h-.437v.438H1.75z" fill="#C7C7C7"/>
	<path d="M.438 3.938h.438v-.875H.438z" fill="#fff"/>
	<path d="M2.625 3.938h.438v-.875h-.438z" fill="#707070"/>
	<path d="M2.188 2.625v-.437H1.75v.438zm-.438.438v-.438h-.437v.438zm.438.438v-.438H1.75v.438z" fill="#fff"/>
	<path d="M2.625 4.375v-.437h-.437v.438zm-.438.438v-.438H1.75v.438z" fill="#707070"/>
	<path d="M2.188 1.75H1.75v.438h.438zm.438.438h-.438v.438h.438zm.438.438h-.439v.438h.438zm.875.438h-.876v.875h.875zm.438.875h-.439v.438h.438zm.438.438h-.438v.438h.438zM1.75 2.188h-.437v.438h.438zm2.188 4.813v-.438h-.875v.438zm-.875-1.313h-.438v.875h.438zM.438 3.938v.438h.875v-.438zm2.188 1.313h-.438v.438h.438zm-.438-.438H1.75v.438h.438zm-.438-.438h-.437v.438h.438zm2.188-3.063h.438V.438h-.438zm2.625 2.625h.438v-.874h-.438zm0-.875v-.437h-.875v.438zM4.375 1.749h.438v-.436h-.438zm.438.438h.438V1.75h-.438zm-.438.438h.438v-.437h-.438zm-.437.438h.438v-.438h-.438zM2.625 4.376h.438v-.438h-.438zm-.438.438h.438v-.438h-.437z" fill="#000"/>
	<path d="M4.813 2.188h.438V1.75h-.438zm.438.438h.438v-.438h-.438zM3.938 6.564h.438v-.875h-.438zm1.75-2.625v.438h.875v-.439zm-1.313 1.75h.438v-.438h-.438zm.438-.438h.438v-.438h-.438zm.438-.438h.438v-.438h-.438z" fill="#000"/>
`;function Kt(i={}){return l`<svg
		${H(i)}
		aria-hidden="true"
		role="img"
		width="14"
		height="14"
		viewBox="0 0 7 7"
		fill="none"
		xmlns="http://www.w3.org/2000/svg"
	>
		${_a}
	</svg>`}var ba=w`
	<path d="M6.125 3.063v-.438h-.438v.438H4.374v-.438h-.436V1.313h.438V.875H3.063v1.75h-.438v.438H.438v.875h.438v.438h.438v-.438h1.313v.438h.438v1.313h-.44v.438h.438v.438h.875v-.438h.438v-.438h-.438V4.376h.438v-.438h1.313v.438h.438v-.438h.438v-.875z" fill="#ffb84b"/>
	<path d="M3.938 0h-.875v.438h.875zM2.625.875H1.313v.438h1.313zm-1.312.438H.875v1.313h.438zm1.75 0h-.438v1.313h.438zm1.313 0h-.438v1.313h.438zm1.75 0h-.438v1.313h.438zM5.688.875H4.375v.438h1.313zm-3.063 1.75H1.313v.438h1.313zm3.063 0H4.375v.438h1.313zM3.063.438h-.438v.438h.438z" fill="#000"/>
	<path d="M2.625 1.313h-.437v.438h.438zm-.437.437H1.75v.438h.438zm3.5-.438H5.25v.438h.438zm-.438.438h-.438v.438h.438zm.438 2.625H5.25v.438h.438zm-.438.438h-.438v.438h.438zm-2.625-.438h-.437v.438h.438zm-.438.438H1.75v.438h.438z" fill="#57595f"/>
	<path d="M4.375.438h-.437v.438h.438zM.438 3.063H0v.875h.438z" fill="#000"/>
	<path d="M2.188 1.75v.438h-.875v.438h1.313V1.75zm3.063 0v.438h-.875v.438h1.313V1.75zM2.188 4.813v.438h-.875v.438h1.313v-.875zm3.063 0v.438h-.875v.438h1.313v-.875z" fill="#35363a"/>
	<path d="M.875 3.938H.438v.438h.438zm0-1.313H.438v.438h.438zM7 3.063h-.438v.875H7z" fill="#000"/>
	<path d="M6.563 3.063h-.438v.875h.438z" fill="#ba3500"/>
	<path d="M.875 3.063H.438v.875h.438z" fill="#f0f0f0"/>
	<path d="M6.563 2.625h-.438v.438h.438zm0 1.313h-.438v.438h.438z" fill="#000"/>
	<path d="M6.125 3.938h-.438v.438h.438zm-3.062 0h-.438v.438h.438zm-1.75 0H.875v.438h.438zm3.063 0h-.438v.438h.438z" fill="#ba3500"/>
	<path d="M3.938 6.563h-.875v.438h.875zm-1.313-.875H1.313v.438h1.313zM1.312 4.375H.875v1.313h.438zm1.75 0h-.437v1.313h.438zm1.313 0h-.437v1.313h.438zm1.75 0h-.438v1.313h.438zm-.438 1.313H4.374v.438h1.313zm-3.062-1.75H1.313v.438h1.313zm3.063 0H4.375v.438h1.313z" fill="#000"/>
	<path d="M2.625 3.5H1.313v.438h1.313zm3.063 0H4.375v.438h1.313z" fill="#ba3500"/>
	<path d="M3.063 6.125h-.438v.438h.438zm1.313 0h-.438v.438h.438z" fill="#000"/>
	<path d="M3.938 6.125h-.875v.438h.875z" fill="#ba3500"/>
	<path d="M3.938.438h-.875v.438h.875zm-.875.437h-.438v.438h.438V.438Z" fill="#f0f0f0"/>
	<path d="M4.375 5.688h-.437v.438h.438z" fill="#ba3500"/>
	<path d="M2.188 1.313h-.875v.875h.438V1.75h.438zm3.063 0h-.875v.875h.438V1.75h.438zM2.188 4.376h-.875v.875h.438v-.438h.438zm3.063 0h-.875v.875h.438v-.438h.438z" fill="#d8d8d8"/>
	<path d="M3.938 2.188V1.75H3.5V.875h-.437v1.313zm0 .438H3.5v.438h-.437v.438h-.438v.438h.438v.875h.438v1.313h.438v-1.75H3.5V3.5h.875v-.437h-.437zm2.188.438h-.438v.438h.438zm-3.063-.439h-.438v.438h.438zm-1.75.438H.875v.438h.438zm.875 0H1.75v.438h.438z" fill="#fd6214"/>
`;function Jt(i={}){return l`<svg
		${H(i)}
		aria-hidden="true"
		role="img"
		width="14"
		height="14"
		viewBox="0 0 7 7"
		fill="none"
		xmlns="http://www.w3.org/2000/svg"
	>
		${ba}
	</svg>`}var ya=w`
	<path d="M5.688 2.625V1.75H5.25V.438h-.438v.438h-.438v.438h-.436v.438H3.5v.438H1.313v.438H.875v.875H.438v1.75h.438v.438h.438v.438h.438v.438h3.5v-.438h.438v-.438h.438V2.625z" fill="#fd6214"/>
	<path d="M0 3.5v1.75h.438V3.5zm6.563.438v1.313h.438V3.938zm-.438-1.313v1.313h.438V2.625zm-.438-.875v.875h.438V1.75z" fill="#000"/>
	<path d="M6.125 3.938v1.313h.438V3.938zm-.438-1.313v1.313h.438V2.625zm-.438-.875v.875h.438V1.75z" fill="#ba3500"/>
	<path d="M.438 2.625V3.5h.438v-.875zm2.625-1.313h-.438v.438h.438zm.875 0H3.5v.438h.438zM3.5 1.75h-.437v.438h.438zm-2.625.438v.438h.438v-.438zM.437 5.251v.438h.438v-.438zm.438.438v.438h.438v-.438zm.438.438v.438h.438v-.438zm4.813-.875v.438h.438v-.438zm-.438.438v.438h.438V5.69zm-.438.438v.438h.438v-.438zm-3.5.438v.438h3.5v-.438zM1.313 1.75v.438h.438V1.75zm.438-.438v.438h.438v-.437zm.438-.438v.438h.438V.875zm1.75 0v.438h.438V.875zm.438-.438v.438h.438V.438zm.438-.438v.438h.438V0z" fill="#000"/>
	<path d="M4.813.438v.438h.438V.438zm-.438.438v.438h.438V.875zm-.437.437v.438h.438v-.438zM3.5 1.75v.438h.438V1.75zm-1.312-.437v.438h.438v-.438zm-.438.437v.438h.438V1.75zm.875 0v.438h.438V1.75z" fill="#f0f0f0"/>
	<path d="M2.188 1.75v.438h.438V1.75z" fill="#fd6214"/>
	<path opacity=".5" d="M4.813 1.75v.438h.438V1.75zm.438 2.188V3.5h-.438v-.875h-.438v.438h-.437v.438H2.625v-.438h-.437v.875h-.875v.875h.438v.875h.438v.438h2.625v-.438h.438v-.875h.438v-.875z" fill="#fff"/>
	<path d="M1.313 2.188v.438h.438v-.438zm-.438.437V3.5h.438v-.875zm.875.875v.438h.438V3.5z" fill="#f0f0f0"/>
	<path d="M.875 5.25v.438h.438V5.25zm.438.438v.438h.438v-.438zm3.938 0v.438h.438v-.438zm.438-.438v.438h.438V5.25zm-3.938.875v.438h3.5v-.438z" fill="#ba3500"/>
	<path d="M.438 3.5v.875h.438V3.5zm4.375.875h-.438v-.437h-1.75v.438h-.437v.875h.438v.438h1.75v-.438h.438z" fill="#f0f0f0"/>
	<path d="M5.25.438v1.313h.438V.438z" fill="#000"/>
`;function Qt(i={}){return l`<svg
		${H(i)}
		aria-hidden="true"
		role="img"
		width="14"
		height="14"
		viewBox="0 0 7 7"
		fill="none"
		xmlns="http://www.w3.org/2000/svg"
	>
		${ya}
	</svg>`}var Ma=w`
	<path d="M6.563.875h-.438V.438H4.812v1.313h-.438V.875h-.436V.438h-.875v.438h-.438v.875h-.437V.438H.875v.438H.438v1.75h.438v.438h.875v.438h.438v.875h.438v.438h.438v.438h.875v-.438h.438v-.438h.438V3.5h.438v-.437h.875v-.438h.438z" fill="#ff7fc0"/>
	<path d="M3.938 0h-.875v.438h.875zm-1.75 0H.875v.438h1.313zm3.938 0H4.813v.438h1.313zm.438.438h-.438v.438h.438zm.438.438h-.438v1.75h.438zM4.377.438h-.439v.438h.438v.875h.438V.438zm-2.189 0v1.313h.438V.875h.438V.438zm-1.313 0H.438v.438h.438zM.438.875H0v1.75h.438zm.438 1.75H.438v.438h.438zm.875.438H.875v.438h.875zm4.375 0h-.875v.438h.875zm.438-.438h-.438v.438h.438zM5.251 3.938V3.5h-.438v.875h1.75v-.437zM1.75 3.5v.438H.438v.438h1.75V3.5zm-1.313.875H0v1.75h.438zm.438 1.75H.438v.438h.438zm5.25.438H.875v.438h5.25zm.438-.438h-.438v.438h.438zm.438-1.75h-.438v1.75h.438zm-4.376 0h-.437v.438h.438zm.438.438h-.438v.438h.438zm1.313 0h-.438v.438h.438zm.438-.438h-.438v.438h.438zm-.875.875h-.876v.438h.875z" fill="#000"/>
	<path d="M4.813 4.375v.438h-.438v.438h-.437v.438h-.875v-.438h-.438v-.438h-.437v-.438H.438v1.75h.438v.438h5.25v-.438h.438v-1.75z" fill="#6be473"/>
	<path d="M1.75 5.25h-.437v.438h.438zm-.438-.438H.875v.438h.438zM5.25 6.125v-.438h-.438v.438h-.874v-.438h-.875v.438h-.875v-.438H1.75v.438H.875v.438h5.25v-.438zm.438-.875H5.25v.438h.438zm.438-.438h-.438v.438h.438zm.438.875h-.438v.438h.438z" fill="#008456"/>
	<path d="M2.625 3.938h-.437v.438h.438zm.438.438h-.438v.438h.438zm1.313 0h-.438v.438h.438zm.438-.438h-.438v.438h.438zm.438-.875h-.438v.438h.438zm.875-.438h-.438v.438h.438zm.438-.875h-.438v.875h.438zM3.94 4.813h-.877v.438h.875z" fill="#ff1c90"/>
	<path d="M4.375 5.25h-.437v.438h.438zm.438-.438h-.438v.438h.438zm.438-.438h-.438v.438h.438zm-4.813.001v.875h.438v-.438h1.313v-.438zm.438-3.5H.438v.875h.438zM2.189.437H.875v.438h1.313zm.875.438h-.439v.438h.438zm.875-.438h-.876v.438h.875zm1.313 0h-.438v.875h.438V.875h.875V.438z" fill="#f0f0f0"/>
`;function Xt(i={}){return l`<svg
		${H(i)}
		aria-hidden="true"
		role="img"
		width="14"
		height="14"
		viewBox="0 0 7 7"
		fill="none"
		xmlns="http://www.w3.org/2000/svg"
	>
		${Ma}
	</svg>`}var xa=w`
	<path d="M3.063.875v.438h.875V.875zm.875-.438v.438h1.75V.438zm1.75.438v.438h.438V.875zm.438.438v.438h.438v-.438zm.438.438v2.188h.438V1.75zm-.438 2.188v.875h.438v-.876zm-.438.875v.438h.438v-.438zm-.875.438v.438h.875v-.438zm-.875.438v.438h.875V5.69zm-.875.438v.438h.875v-.438z" fill="#000"/>
	<path d="M6.563 1.75h-.438v-.437h-.438V.875H3.938v.438h-.875V.875h-1.75v.438H.875v.438H.438v2.188h.438v.875h.438v.438h.875v.438h.875v.438h.875V5.69h.875v-.438h.875v-.438h.438v-.876h.438z" fill="#ff7fc0"/>
	<path d="M6.563 1.75h-.438v2.188h.438zm-.438 2.188h-.438v.875h.438zm-4.812 0H.875v.875h.438zm4.375.875h-.875v.438h.875zm-.875.438h-.875v.438h.875zm-.875.438h-.875v.438h.875zm-.875-.438h-.875v.438h.875zm-.875-.438h-.875v.438h.875z" fill="#ff1b90"/>
	<path d="M1.313.438v.438h1.75V.438zM.875.875v.438h.438V.875zm-.437.438v.438h.438v-.438zM0 1.75v2.188h.438V1.75zm.438 2.188v.875h.438v-.875zm.438.875v.438h.438v-.438zm.438.438v.438h.875v-.438zm.875.438v.438h.875v-.438z" fill="#000"/>
	<path d="M1.313.875v.438h1.75V.875zm2.625 0v.438h1.75V.875zm-.875.438v.438h.875v-.438z" fill="#f0f0f0"/>
	<path opacity=".6" d="M4.813 2.625v-.437h-.875v.438h-.875v-.438h-.875v.438H1.75v1.313h.438v.438h.879v.438h.875v-.438h.871v-.439h.438V2.625z" fill="#fff"/>
	<path d="M5.688 1.313v.438h.438v-.438zm-4.813 0v.438h.438v-.438zm.438.438v.438h.438V1.75zM.438 1.75v.875h.438V1.75z" fill="#f0f0f0"/>
`;function Yt(i={}){return l`<svg
		${H(i)}
		aria-hidden="true"
		role="img"
		width="14"
		height="14"
		viewBox="0 0 7 7"
		fill="none"
		xmlns="http://www.w3.org/2000/svg"
	>
		${xa}
	</svg>`}var wa=w`
	<path d="M6.125 2.625v.438H4.812v-.438h-.438v-.437h-.436V.875h.438V.438H.438v.438h.875v.438h.438v.438h.875v.875h-.438v.438H1.75v.875h-.437v.875H.875v.875H.438v.875h1.313v-.438h.875v-.438h.438v-.438h.438v-.438h.875v-.438h.438v-.437h.438v.438h.438v.438h.438v.438h.438V2.625z" fill="#ffe361"/>
	<path d="M6.125 0H4.812v.438h1.313zM1.75 6.563H.438v.438h1.313zm.875-.438H1.75v.438h.875zM1.313.875H.438v.438h.875zm.438.875v.438h.438v.438h.438V1.75zm0 1.313h-.438v.875h.438zm-.438.875H.875v.875h.438zm-.438.875H.438v.875h.438zm-.438.875H0v.875h.438zm3.938-.875H3.5v.438h.875zm0-4.813H.438v.438h3.938z" fill="#000"/>
	<path d="M4.375.438H.438v.438h3.938z" fill="#f0f0f0"/>
	<path d="M6.125 2.625H4.812v.438h1.313zM4.812.437h-.438v.438h.438z" fill="#000"/>
	<path d="M4.813.875h-.438v.875h.438zM6.126.437H4.813v.438h1.313z" fill="#f0f0f0"/>
	<path d="M6.125 2.188H4.812v.438h1.313z" fill="#ba3500"/>
	<path d="M.438.438H0v.438h.438zm1.313.875h-.438v.438h.438zm.438 1.313H1.75v.438h.438zM6.564.438h-.438v.438h.438zm.438.438h-.438v1.313h.438z" fill="#000"/>
	<path d="M6.563.875h-.438v1.313h.438z" fill="#ba3500"/>
	<path d="M7 2.625h-.438V5.25H7z" fill="#000"/>
	<path d="M6.563 2.625h-.438V5.25h.438z" fill="#ffb84b"/>
	<path d="M6.563 2.188h-.438v.438h.438zM4.375.875h-.437v1.313h.438zm.438 1.313h-.438v.438h.438z" fill="#000"/>
	<path d="M4.813 1.75h-.438v.438h.438z" fill="#ba3500"/>
	<path d="M3.063 5.688h-.438v.438h.438z" fill="#000"/>
	<path d="M4.375 3.063v.438h-.437v.438H3.5v.438h-.437v.438h-.438v.438h-.437v.438H1.75v.438h.875v-.438h.438v-.438h.438v-.438h.875v-.438h.438V3.063zM1.75 6.126h-.437v.438h.438z" fill="#ffb84b"/>
	<path d="M3.5 5.25h-.437v.438h.438z" fill="#000"/>
	<path d="M2.188 3.063H1.75v.438h.438zm.438-.438h-.438v.438h.438z" fill="#f0f0f0"/>
	<path d="M3.063 2.188h-.438v.438h.438zm.438-.438h-.438v.438h.438z" fill="#ffb84b"/>
	<path d="M2.625 3.5h-.437v.438h.438zm-.875.438h-.437v.438h.438zm-.438.875H.875v.438h.438zm-.438.875H.438v.438h.438z" fill="#f0f0f0"/>
	<path d="M4.813 4.375h-.438v.438h.438zm.438-.438h-.438v.438h.438zm.438.438h-.438v.438h.438zm.438.438h-.438v.438h.438zm.438.438h-.438v.438h.438z" fill="#000"/>
	<path d="M6.125.875H4.812v1.313h1.313z" fill="#fd6214"/>
`;function ei(i={}){return l`<svg
		${H(i)}
		aria-hidden="true"
		role="img"
		width="14"
		height="14"
		viewBox="0 0 7 7"
		fill="none"
		xmlns="http://www.w3.org/2000/svg"
	>
		${wa}
	</svg>`}var Ha=w`
	<path d="M6.563 0.876V0.437H3.937v0.437H1.313v2.187H0.437v2.187h5.25v-2.186h0.876z" fill="#bcef42"/>
	<path d="M4.813 5.687v-0.437H2.187v0.437z" fill="#7fb134"/>
	<path d="M6.563 0.876V0.437H3.937v0.437zm-2.626 0.437V0.876H2.187v0.437z" fill="#fff"/>
	<path d="M1.313 4.813v0.437h0.876v-0.437zm4.376 -0.437h-0.437v0.876h0.437zm0.876 -2.187h-0.437v0.876h0.437zm-0.437 0.876h-0.437v1.313h0.437z" fill="#7fb134"/>
	<path d="M7 0.437h-0.437v2.626H7z" fill="#000"/>
	<path d="M1.313 3.937H0.876v2.626h0.437z" fill="#4a8359"/>
	<path d="M6.563 0H3.937v0.437h2.626zM4.813 5.687H2.187v0.437h2.626zM3.937 0.437H2.187v0.437h1.75zM2.187 0.876h-0.874v0.437h0.876zm-0.874 0.437H0.876v0.876h0.437zM0.437 3.063H0v2.187h0.437v1.313h0.437V5.25H0.437zh0.437v-0.876H0.437zm5.25 2.187h-0.876v0.437h0.876zm0.437 -0.876h-0.437v0.876h0.437zh0.437V3.063h-0.437zM1.75 5.687h0.437v-0.437h-0.874v1.313h0.437zm-0.437 0.876H0.876V7h0.437z" fill="#000"/>
	<path d="M0.876 3.063h0.437v-0.876H0.876zm-0.438 0.874h0.437v-0.874H0.437zm1.75 -2.626h-0.874v0.876h0.437v-0.437h0.437z" fill="#fff"/>
	<path d="M1.75 3.5h0.876v-0.437h-0.876zm0.876 -0.437h0.876v-0.437h-0.876zm0.876 -0.437h0.876v-0.438H3.5zm0.876 -0.437h0.437v-0.438h-0.437zm0.437 -0.437h0.437v-0.438H4.814z" fill="#4a8359"/>
	<path d="M2.187 1.75v0.437h0.437v-0.437z" fill="#fff"/>
	<path d="M1.313 3.5v0.437h0.437V3.5z" fill="#4a8359"/>
`;function ti(i={}){return l`<svg
		${H(i)}
		aria-hidden="true"
		role="img"
		width="14"
		height="14"
		viewBox="0 0 7 7"
		fill="none"
		xmlns="http://www.w3.org/2000/svg"
	>
		${Ha}
	</svg>`}var $a=w`
	<path d="M2.188 2.625H1.75v.438H.875v.875H3.5v.875h-.437v.438h-.438v.438h-.437v.438H1.75v.438h.875v-.438h.438v-.438h.438v-.438h.438v-.438h.875v-.438h.438v-.437h.875v-.875H3.063v-.438h.438v-.437h.438V1.75h.438v-.437H3.5v.438h-.437v.438h-.875z" fill="#ffe361"/>
	<path d="M.438 3.063H0v.875h.438z" fill="#000"/>
	<path d="M.875 3.063H.438v.875h.438z" fill="#f0f0f0"/>
	<path d="M7 3.063h-.438v.875H7zm-5.687-.438H.438v.438h.875zm1.313-.875H1.75v.438h.875zm-.876.438h-.437v.438h.438z" fill="#000"/>
	<path d="M1.75 2.625h-.437v.438h.438zm.438-.438H1.75v.438h.438zm.438.438h-.438v.438h.438zm.438-.875h-.439v.438h.438zm.438-.438h-.439v.438h.438zm0 3.063h-.439v.438h.438zm-.438.438h-.439v.438h.438zm-.438.438h-.438v.438h.438zm-.438.438H1.75v.438h.438zm-.438.438h-.437v.438h.438z" fill="#f0f0f0"/>
	<path d="M5.25.875h-.438v.438h.438zm.438 3.063H5.25v.438h.438zm-.438.438h-.438v.438h.438zm-.875.438h-.437v.438h.438zm-.438.438H3.5v.438h.438zm2.625-1.75h-.438v.438h.438z" fill="#ffb84b"/>
	<path d="M6.563 3.063h-.438v.438h.438z" fill="#f0f0f0"/>
	<path d="M4.813 1.313h-.438v.438h.438zm-.438.438h-.437v.438h.438zm-.437.437H3.5v.438h.438zm-.438.437h-.437v.438h.438z" fill="#ffb84b"/>
	<path d="M4.375.875h-.437v.438h.438z" fill="#f0f0f0"/>
	<path d="M3.938.875h-.875v.438h.875zm-.875.438h-.438v.438h.438zM5.688 0H4.375v.438h1.313z" fill="#000"/>
	<path d="M5.688.438H4.375v.438h1.313z" fill="#f0f0f0"/>
	<path d="M6.563 2.625H3.5v.438h3.063zM4.375.437h-.437v.438h.438zm1.75 0h-.438v.438h.438zm-.438.438h-.438v.438h.438zm-.438.438h-.438v.438h.438zm-.438.438h-.438v.438h.438zm-.438.438h-.435v.438h.438zm2.188 1.75h-.875v.438h.875zm-1.313.875h-.875v.438h.875zm.438-.438h-.438v.438h.438zm-1.75 1.313h-.873v.438h.875zm.438-.438h-.436v.438h.438zm-1.75 1.313H1.313v.438h1.313zm.875-2.625H.438v.438h3.063zm-.438 2.188h-.436v.438h.438zm-1.75 0H.875v.438h.438zm.438-.438h-.436v.438h.438zm.438-.438H1.75v.438h.438zm.438-.438h-.437v.438h.438zm.438-.438h-.438v.438h.438z" fill="#000"/>
	<path d="M4.813.875h-.438v.438h.438z" fill="#ffe361"/>
`;function ii(i={}){return l`<svg
		${H(i)}
		aria-hidden="true"
		role="img"
		width="14"
		height="14"
		viewBox="0 0 7 7"
		fill="none"
		xmlns="http://www.w3.org/2000/svg"
	>
		${$a}
	</svg>`}var Ca=w`
	<path d="M6.125 1.75v-.437H5.25V.438H3.5v.438h-.437v.438h-.438V.875H1.313v.438H.875v1.75H.438v1.313h.438v-.438h.438V3.5h2.188v-.875h.438v-.437h2.188v.438h.438V1.75z" fill="#b79cf8"/>
	<path d="M3.938 2.625v.438H3.5v.875h.438v.875h.875v.438h1.313v-.438h.438V2.625z" fill="#9af4dc"/>
	<path d="M1.75 4.375v1.75h.438v.438h1.313v-.438h.438v-1.75z" fill="#9af4dc"/>
	<path d="M3.5 6.125H2.188v.438h1.313zm2.625-1.313H4.812v.438h1.313zm.438-.438h-.438v.438h.438zM3.938 5.687H3.5v.438h.438z" fill="#6c9ca6"/>
	<path d="M3.938 3.063H3.5v.438h.438zm.875.438h-.438v.438h.438zm1.313-.875H3.938v.438h2.188z" fill="#f0f0f0"/>
	<path d="M3.5.438h-.437v.438h.438zm3.063.875h-.438v.438h.438zm-.438 2.188h-.438v.875h.438zm-2.187-.876H3.5v.438h.438z" fill="#000"/>
	<path d="M3.938 2.188H3.5v.438h.438z" fill="#816bee"/>
	<path d="M1.313 3.938H.875v.438h.438zm1.75 1.75h-.438v.438h.438zm-.438-.438h-.437v.438h.438z" fill="#000"/>
	<path d="M2.625 5.25h-.437v.438h.438zm3.063-.875H5.25v.438h.438zm-.438-.438h-.438v.438h.438zM2.187 6.125H1.75v.438h.438zm1.75 0H3.5v.438h.438zM.874 4.375H.438v.438h.438zm.438 1.75H.875v.438h.438zm-.438.438H.438v.438h.438zM6.563 1.75v.875h-.438v.438h.438v1.75h.438V1.75zM5.688.875V.438H5.25v.875h.875V.875zM2.625.438H1.313v.438h1.313zm3.063 2.625H4.375v.438h1.313zM3.063 4.376H1.75v.438h1.313zm.438 2.188H2.188v.438h1.313zM3.063.875h-.438v.438h.438zm-1.75 0H.875v.438h.438z" fill="#000"/>
	<path d="M2.625.875H1.313v.438h1.313zm.438.438h-.438v.438h.438zm-1.313.875h-.437v.438h.438zm-.875.875H.438v.438h.438zm.438-1.75H.875v.438h.438z" fill="#f0f0f0"/>
	<path d="M6.125 5.25H4.812v.438h1.313zm-1.75-.438V3.5h-.437v.438H3.5v.438h.438v1.75h.438v-.875h.438v-.438zm2.188 0h-.438v.438h.438zM.875 1.313H.438v1.75h.438zm-.437 1.75H0v1.313h.438zm1.313 1.75h-.438v1.313h.438zm1.75 0h-.438v.875h.438zm-3.063 0H0v1.75h.438zM5.25 0H3.5v.438h1.75z" fill="#000"/>
	<path d="M3.5.875h-.437v.438h.438zM5.25.437H3.5v.438h1.75z" fill="#f0f0f0"/>
	<path d="M6.125 2.188H3.938v.438h2.188z" fill="#000"/>
	<path d="M6.125 1.75v-.437h-.438v.438H3.938v.438h2.188v.438h.438V1.75z" fill="#816bee"/>
	<path d="M2.188 4.813H1.75v.438h.438z" fill="#f0f0f0"/>
	<path d="M3.063 2.625v.438h-1.75v.438h2.188v-.876z" fill="#816bee"/>
	<path d="M3.063 3.063v.438h-1.75v.438h2.188v-.876z" fill="#000"/>
	<path d="M1.313 3.5H.875v.438h.438zm-.438.438H.438v.438h.438z" fill="#816bee"/>
	<path d="M1.313 3.938v.438H.875v.438H.438v1.75h.438v-.438h.438V4.813h.438v-.438h1.75v-.437z" fill="#9af4dc"/>
	<path d="M1.313 4.375H.875v.438h.438zm-.438.438H.438v.438h.438z" fill="#f0f0f0"/>
	<path d="M1.313 5.688H.875v.438h.438zm-.438.438H.438v.438h.438z" fill="#6c9ca6"/>
	<path d="M3.5 3.938H1.313v.438h2.188z" fill="#f0f0f0"/>
`;function si(i={}){return l`<svg
		${H(i)}
		aria-hidden="true"
		role="img"
		width="14"
		height="14"
		viewBox="0 0 7 7"
		fill="none"
		xmlns="http://www.w3.org/2000/svg"
	>
		${Ca}
	</svg>`}var ka=w`
	<path d="M6.125 2.188v-.875h-.438V.875h-.438V.438h-.875v.438h.438v.438h.438v1.75h-.438v.438h-.438v.438H2.625V3.5h-.437v-.437H1.75v-1.75h.438V.875h.438V.438H1.75v.438h-.437v.438H.875v.875H.438v2.625h.438v.875h.438v.438h.875v.438h2.625v-.438h.875v-.438h.438v-.875h.438V2.188z" fill="#b79cf8"/>
	<path d="M2.625 0H1.75v.438h.875zM.875 1.313H.438v.875h.438zm1.313 0H1.75v1.75h.438zm2.188 2.188H2.625v.438h1.75z" fill="#000"/>
	<path d="M4.375 3.938h-1.75v.438h1.75z" fill="#f0f0f0"/>
	<path d="M.438 2.188H0v2.625h.438zm4.375 4.375H2.188v.438h2.625z" fill="#000"/>
	<path d="M.875 4.375H.438v.438h.438zm4.813.875h-.875v.438H2.188V5.25h-.875v-.438H.875v.875h.438v.438h.875v.438h2.625v-.438h.875v-.438h.438v-.875h-.438zm.875-.875h-.438v.438h.438z" fill="#816bee"/>
	<path d="M1.75.438h-.437v.438h.438zm-.437.437H.875v.438h.438z" fill="#000"/>
	<path d="M2.625.438H1.75v.438h.875zM1.75.875h-.437v.438h.438zm-.437.438H.875v.438h.438zm-.438.875H.438v.438h.438zm.438.438H.875v.438h.438zm.875.438H1.75v.438h.438zm.438.438h-.438v.438h.438zm2.625-.438h-.438v.438h.438zM4.813.439h-.438v.438h.438zm0 3.063h-.438v.438h.438z" fill="#f0f0f0"/>
	<path d="M3.063.438h-.438v.438h.438zm-.438.437h-.437v.438h.438zm0 2.188h-.437v.438h.438zm-1.75 1.75H.438v.875h.438zm.438.875H.875v.438h.438zM5.251 0h-.875v.438h.875zm.438 6.125h-.875v.438h.875zm-3.5 0h-.876v.438h.875zm4.374-4.812h-.438v.875h.438zm-1.313 0h-.438v1.75h.438zM7 2.188h-.438v2.625H7zM5.687.438h-.438v.438h.438zm.438.438h-.438v.438h.438zM4.375.438h-.437v.438h.438zm.438.438h-.438v.438h.438zm0 2.188h-.438v.438h.438zm1.75 1.75h-.438v.875h.438zm-.438.875h-.438v.438h.438z" fill="#000"/>
	<path d="M2.188.875H1.75v.438h.438z" fill="#b79cf8"/>
`;function ai(i={}){return l`<svg
		${H(i)}
		aria-hidden="true"
		role="img"
		width="14"
		height="14"
		viewBox="0 0 7 7"
		fill="none"
		xmlns="http://www.w3.org/2000/svg"
	>
		${ka}
	</svg>`}var Ta=w`
	<path d="M4.813 5.25v-.875h-.438v-.437h-1.75v.438h-.437v.875H1.75v1.313h3.5V5.251z" fill="#ffe361"/>
	<path d="M6.125 1.313V.875H5.25V.438h-3.5v.438H.875v.438H.438v2.625h.438v.438h.875v-.439h3.5v.438h.875v-.438h.438V1.313z" fill="#ff2c52"/>
	<path d="M5.25 0h-3.5v.438h3.5z" fill="#000"/>
	<path d="M5.25.438h-3.5v.438h3.5zm-3.5.437H.875v.438h.875zm4.375 0H5.25v.438h.875z" fill="#fff"/>
	<path d="M5.25 6.563h-3.5v.438h3.5zM.438 1.313H0v2.625h.438zM1.751.438H.875v.438h.875z" fill="#000"/>
	<path d="M.875 3.063v-1.75H.438v2.625h.875v-.875z" fill="#fff"/>
	<path d="M6.563 1.313h-.438v2.625h.438z" fill="#be0351"/>
	<path d="M6.563 2.625h-.875V3.5h.875zM5.25.875h-.875v.875h.875z" fill="#fff"/>
	<path opacity=".5" d="M6.563 2.625h-.438V3.5h.438z" fill="#be0351"/>
	<path d="M4.375 3.063h-1.75v.438h1.75zm.875.438h-.875v.438h.875zM2.625 3.5H1.75v.438h.875z" fill="#be0351"/>
	<path d="M2.625 4.375h-.437v.875h.438z" fill="#fff"/>
	<path d="M4.813 4.375h-.438v.875h.438zm0 .875v.875H1.75v.438h3.5V5.25z" fill="#ffb84b"/>
	<path d="M2.188 5.25H1.75v.875h.438z" fill="#fff"/>
	<path d="M1.75 3.938H.875v.438h.875zm4.375 0H5.25v.438h.875z" fill="#be0351"/>
	<path d="M3.5 2.625h-.875V3.5H3.5z" fill="#fff"/>
	<path opacity=".5" d="M3.5 3.063h-.875v.438H3.5z" fill="#be0351"/>
	<path d="M4.375 3.5h-1.75v.438h1.75z" fill="#000"/>
	<path d="M4.375 3.938h-1.75v.438h1.75z" fill="#fff"/>
	<path d="M.875.875H.438v.438h.438z" fill="#000"/>
	<path d="M2.188 1.313H1.75v.438h.438z" fill="#fff"/>
	<path d="M1.75 5.25h-.437v1.313h.438zm.438-.875h.438v-.437H1.75v.438H.875v.438h.875v.438h.438zM.875 3.938H.438v.438h.438zM7 1.313h-.438v2.625H7zM6.125.438H5.25v.438h.875zm.438.438h-.438v.438h.438zm-.438 3.5H5.25v-.438h-.875v.438h.438v.875h.438v1.313h.438V5.251h-.438v-.438h.875zh.438v-.438h-.438z" fill="#000"/>
`;function ri(i={}){return l`<svg
		${H(i)}
		aria-hidden="true"
		role="img"
		width="14"
		height="14"
		viewBox="0 0 7 7"
		fill="none"
		xmlns="http://www.w3.org/2000/svg"
	>
		${Ta}
	</svg>`}var Ea=w`
	<path d="M6.125 3.063v-.438H5.25v-.437h-.438V1.75h-.438V.875h-.436V.438h-.875v.438h-.438v.875h-.437v.438H1.75v.438H.875v.438H.438v.875h.438v.438h.875v.438h.438v.438h.438v.875h.438v.438h.875v-.438h.438v-.875h.438v-.438h.438v-.438h.875v-.44h.438v-.875z" fill="#47baff"/>
	<path d="M4.813 3.063h-.875v-.438h-.875v.438h-.875v.875h.875v.438h.875v-.438h.875z" fill="#b5e3ff"/>
	<path d="M1.313 0H.438v.438h.875zm.875.438h-.875v.438h.875zm-.438 1.75H.875v.438h.875zM.438.438H0v.875h.438z" fill="#000"/>
	<path d="M1.313.438H.438v.875h.438V.875h.438z" fill="#f0f0f0"/>
	<path d="M.438 3.063H0v.875h.438zM7.001.438h-.438v.875h.438zm-.438.875h-.438v.875h.438zm-5.688 0H.438v.875h.438zm1.75-.438h-.437v.875h.438zm2.188 0h-.438v.875h.438zM3.063.438h-.438v.438h.438z" fill="#000"/>
	<path d="M3.063.875h-.438v.438h.438zm.438.438h-.438v.438h.438zm-1.313.875H1.75v.438h.438zm-.875.437H.875v.438h.438zm-.438.438H.438v.438h.438z" fill="#f0f0f0"/>
	<path d="M1.313 6.563v-.438h.875V5.25H1.75v-.438H.875v.875H.438v.875z" fill="#b79cf8"/>
	<path d="M.875 5.688H.438v.438h.438z" fill="#f0f0f0"/>
	<path d="M2.188 1.75H1.75v.438h.438z" fill="#000"/>
	<path d="M2.188.875H.875v1.313h.875V1.75h.438zm3.938 1.313V.875H4.813v.875h.438v.438z" fill="#b79cf8"/>
	<path d="M2.188.875H1.75v.875h.438zm-.438.875h-.437v.438h.438zm4.375-.438h-.438v.875h.438zm.438-.438h-.438v.438h.438z" fill="#816bee"/>
	<path d="M5.688 6.563v-.438h-.875V5.25h.438v-.438h.875v.875h.438v.875z" fill="#b79cf8"/>
	<path d="M6.563 5.688h-.438v.438h.438zm-.438-.875h-.438v.438h.438z" fill="#816bee"/>
	<path d="M.875 2.625H.438v.438h.438zM7 3.063h-.438v.875H7zm-.438-.438h-.438v.438h.438zM4.374.437h-.436v.438h.438zm.875 1.313h-.438v.438h.438zM3.938 0h-.875v.438h.875z" fill="#000"/>
	<path d="M3.938.438h-.875v.438h.875zm0 2.625h-.875v.875h.875zM6.563.438h-.875v.438h.875zm-.875.438h-.875v.438h.875z" fill="#f0f0f0"/>
	<path d="M3.938 2.188h-.875v.438h.875zm0 2.188h-.875v.438h.875zM6.563.001h-.875v.438h.875zm-.875.438h-.875v.438h.875zm.438 1.75h-.875v.438h.875zM1.313 6.563H.438v.438h.875zm.875-.438h-.875v.438h.875zm-.438-1.75H.875v.438h.875zM.437 5.688H0v.875h.438zm6.563 0h-.438v.875H7zm-.438-.875h-.438v.875h.438zm-5.687 0H.438v.875h.438zm1.75.438h-.437v.875h.438zm2.188 0h-.438v.875h.438zm-1.75.875h-.438v.438h.438zm-.875-1.313H1.75v.438h.438z" fill="#000"/>
	<path d="M2.188 5.25H1.75v.875h.438zm-.438-.438h-.437v.438h.438z" fill="#816bee"/>
	<path d="M.875 3.938H.438v.438h.438zm1.313-.875H1.75v.875h.438zm.875-.438h-.875v.438h.875zm0 1.313h-.875v.438h.875zm2.188-.875h-.438v.875h.438zm-.438-.438h-.875v.438h.875zm0 1.313h-.875v.438h.875zm1.75 0h-.438v.438h.438z" fill="#000"/>
	<path d="M6.563 3.063h-.438v.875h.438zm-.438-.438h-.438v.438h.438zm0 1.313h-.438v.438h.438zm-.875 0h-.438v.438h.438zm-1.313.875h-.874v.438h.875zm.438-.438h-.437v.438h.438zm-1.313 0h-.437v.438h.438zm.875 1.75h-.874v.438h.875zm.438-.438h-.437v.438h.438zm-1.313 0h-.437v.438h.438zm-.874-1.749H1.75v.438h.438zM.875 3.5H.438v.438h.438zm.438.438H.875v.438h.438z" fill="#4282d8"/>
	<path d="M4.375 6.125h-.437v.438h.438zm.875-1.313h-.438v.438h.438zm-1.313 1.75h-.874V7h.875zm2.625 0h-.875V7h.875zm-.875-.438h-.875v.438h.875zm.438-1.75H5.25v.438h.875z" fill="#000"/>
`;function oi(i={}){return l`<svg
		${H(i)}
		aria-hidden="true"
		role="img"
		width="14"
		height="14"
		viewBox="0 0 7 7"
		fill="none"
		xmlns="http://www.w3.org/2000/svg"
	>
		${Ea}
	</svg>`}var Va=w`
	<path d="M3.938.438h-.875v1.75h.875zm.875 2.625v-.438h-.438v-.437h-1.75v.438h-.437v.438H.438v.875h1.75v.438h.438v.438h.438v1.75h.875v-1.75h.438v-.438h.438v-.439h1.75v-.875z" fill="#bcef42"/>
	<path d="M1.75 0h-.437v.438h.438zm.875 2.188h-.437v.438h.438zm2.188 0h-.438v.438h.438zM5.688 0H5.25v.438h.438zm.438.438h-.438v.438h.438zm.438.438h-.438v.438h.438zm.438.438h-.438v.438h.438zM3.938 0h-.875v.438h.875z" fill="#000"/>
	<path d="M3.938.438h-.875v.438h.875z" fill="#f0f0f0"/>
	<path d="M3.938 1.313h-.875v.438h.875zm0 .438h-.875v.438h.875z" fill="#7fb134"/>
	<path d="M3.938 5.25h-.875v.438h.875z" fill="#f0f0f0"/>
	<path d="M3.938 6.125h-.875v.438h.875zm0-1.313h-.875v.438h.875z" fill="#7fb134"/>
	<path d="M3.938 2.625h-.875v.438h.875zm0 1.313h-.875v.438h.875zm.438-.875h-.438v.875h.438z" fill="#000"/>
	<path d="M5.25 3.063h-.438v.875h.438z" fill="#7fb134"/>
	<path d="M3.063 3.063h-.438v.875h.438z" fill="#000"/>
	<path d="M2.625 2.625h-.437V3.5h.438z" fill="#f0f0f0"/>
	<path d="M1.313.438H.875v.438h.438z" fill="#000"/>
	<path d="M1.313.438v.438H.875v.438H.438v.438h1.313V.438z" fill="#6be473"/>
	<path d="M1.75.438h-.437v.438h.438zm-.437.437H.875v.438h.438z" fill="#f0f0f0"/>
	<path d="M1.75 1.313H.438v.438h1.313z" fill="#008456"/>
	<path d="M5.25 5.25v1.313h.438v-.438h.438v-.438h.438v-.438zm-4.812 0v.438h.438v.438h.438v.438h.438V5.251z" fill="#6be473"/>
	<path d="M1.75 5.25H.438v.438h1.313z" fill="#f0f0f0"/>
	<path d="M1.313 5.688v.875h.438v-.875z" fill="#008456"/>
	<path d="M6.125 1.313V.875h-.438V.438h-.438v1.313h1.313v-.438z" fill="#6be473"/>
	<path d="M5.688.438H5.25v.438h.438zm0 2.625H5.25v.438h.438z" fill="#f0f0f0"/>
	<path d="M6.563 3.5H5.25v.438h1.313z" fill="#7fb134"/>
	<path d="M6.563 1.313H5.25v.438h1.313z" fill="#008456"/>
	<path d="M.875.875H.438v.438h.438zM3.063.437h-.438v1.75h.438zm1.313 0h-.438v1.75h.438zm2.625 2.625h-.438v.875h.438zm-.438-.438h-1.75v.438h1.75zm0 1.313h-1.75v.438h1.75zM.438 3.063H0v.875h.438zm1.75-.438H.438v.438h1.75z" fill="#000"/>
	<path d="M1.75 3.063H.438v.875h.438V3.5h.875z" fill="#f0f0f0"/>
	<path d="M2.188 3.938H.438v.438h1.75zM.438 1.313H0v.438h.438zm1.313 5.25h-.438v.438h.438zm.875-2.188h-.438v.438h.438z" fill="#000"/>
	<path d="M1.75 3.5h-.437v.438h.438zm.438-.438H1.75v.875h.438z" fill="#7fb134"/>
	<path d="M2.188 3.063H1.75v.875h.438z" fill="#3f581a"/>
	<path d="M4.375 4.375h-1.75v.438h1.75z" fill="#7fb134"/>
	<path d="M4.375 2.188h-1.75v.438h1.75z" fill="#f0f0f0"/>
	<path d="M4.813 4.375h-.438v.438h.438z" fill="#000"/>
	<path d="M4.813 3.938h-.438v.438h.438z" fill="#7fb134"/>
	<path d="M5.688 6.563H5.25v.438h.438zm.438-.438h-.438v.438h.438zm.438-.438h-.438v.438h.438zm.438-.438h-.438v.438h.438zM3.939 6.562h-.876V7h.875zm-2.625-.438H.875v.438h.438zm-.438-.438H.438v.438h.438zm2.188-.875h-.439v1.75h.438zm1.313 0h-.439v1.75h.438zM1.75 1.75H.438v.438h1.75V.438H1.75zm3.5 0V.438h-.438v1.75h1.75V1.75z" fill="#000"/>
	<path d="M.438 4.813v.438h1.313v1.313h.438v-1.75zm4.375 0v1.75h.438V5.25h1.313v-.438zM.438 5.25H0v.438h.438z" fill="#000"/>
	<path d="M5.688 6.125H5.25v.438h.438zm.438-.438h-.438v.438h.438zm.438-.438h-.438v.438h.438z" fill="#008456"/>
	<path d="M5.688 5.25H5.25v.438h.438z" fill="#f0f0f0"/>
	<path d="M3.938 3.063h-.875v.875h.875z" fill="#7fb134"/>
	<path d="M3.938 1.75h-.875v.438h.875zm0 3.063h-.875v.438h.875zm1.313-1.75h-.438v.875h.438z" fill="#3f581a"/>
`;function hi(i={}){return l`<svg
		${H(i)}
		aria-hidden="true"
		role="img"
		width="14"
		height="14"
		viewBox="0 0 7 7"
		fill="none"
		xmlns="http://www.w3.org/2000/svg"
	>
		${Va}
	</svg>`}var Aa=w`
	<path d="M4.813 4.375h.438v-.437h1.313V3.5H5.251v-.437h-.438V1.75h.875v-.437H4.375v.438H3.063v-.438h-.438V.875H1.75v.438h-.437v.438H.875v.438H.438v2.625h.438v.438h.438v.438h.438v-.875h1.75v.438h-.439v.438h.438v.438h.875v-.438h1.313v-.438h-.875z" fill="#54cfff"/>
	<path d="M3.938 4.813H3.5v.438h.438zm1.75.438H5.25v.438h.438zm.875-1.75h-.438v.438h.438zM5.25 3.063h-.438v.438h.438zM1.312 4.376H.875v.438h.438zm.438.438h-.437v.875h.438zm2.625.875H3.063v.438h1.313zm0-1.313h-.437v.438h.438z" fill="#4282D8"/>
	<path d="M3.938 0H3.5v.438h.438zm.438.438h-.438v.438h.438zm-.876 0H1.75v.438H3.5zM1.75.875h-.437v.438h.438zm1.313 0h-.438v.438h.438zm.438.438h-.438v.438h.438zm.875 0h-.438v.438h.438zM5.689.875H4.376v.438h1.313zm.438.438h-.438v.438h.438zm-4.814 0H.875v.438h.438zm-.438.437H.438v.438h.438zm-.437.438H0v2.625h.438zm.875.438H.875v1.75h.438zm.438-.438h-.438v.438h.438zm2.188-.438H1.75v.438h2.188z" fill="#000"/>
	<path d="M3.938 1.75H3.5v.875h.438zm1.75 0h-.875v.438h.875z" fill="#000"/>
	<path d="M5.25 1.75h-.438v1.313h.438zm1.313 1.313H5.25v.438h1.313zm.438.438h-.438v.438h.438zm-2.625-.875h-.438v1.75h.438zm2.188 1.313H5.251v.438h1.313zm-1.313.438h-.438v.875h.438z" fill="#000"/>
	<path d="M5.688 4.813h-.875v.438h.875zm.438.438h-.438v.438h.438zm-.438.438H4.375v.438h1.313zm-1.313.438h-1.75v.438h1.75zM3.5 4.814H1.75v.438H3.5zm-.875 1.75h-.437v.438h.438zm-.438-.438H1.75v.438h.438zm-.438-.438h-.436v.438h.438zm.438-.438H1.75v.438h.438zm.875 0h-.437v.438h.438zm-1.75 0H.875v.438h.438zm-.438-.438H.438v.438h.438zm.875-.438h-.436v.438h.438zm2.188 0H3.5v.438h.438z" fill="#000"/>
	<path d="M3.938 2.625H3.5v-.437H1.75v.438h-.437v1.75h.438v.438h1.75v-.438h.438z" fill="#9af4dc"/>
	<path d="M3.5 4.375H1.75v.438H3.5zm-1.75-.437h-.437v.438h.438zm2.188 0H3.5v.438h.438z" fill="#6c9ca6"/>
	<path d="M1.75 2.625h-.437v.438h.438zm.875.438h-.437v.438h.438zm.875-.875H1.75v.438H3.5z" fill="#f0f0f0"/>
	<path d="M3.5 5.688h-.437v.438h.438z" fill="#000"/>
	<path d="M.875 2.188H.438v.875h.438zm.875-.875h-.437v.438h.438zm.875-.438H1.75v.438h.875zm3.063.438H4.375v.438h1.313zM3.938.438H3.5v.438h-.437v.438h.438v.438h.438v-.439h.438V.875h-.439zM2.625 5.25h-.437v.438H1.75v.438h.438v.438h.438v-.438h.438v-.438h-.439z" fill="#f0f0f0"/>
`;function li(i={}){return l`<svg
		${H(i)}
		aria-hidden="true"
		role="img"
		width="14"
		height="14"
		viewBox="0 0 7 7"
		fill="none"
		xmlns="http://www.w3.org/2000/svg"
	>
		${Aa}
	</svg>`}var ja=w`
	<path d="M5.688 1.313V.875h-.875v.438h-.438V.875h-.437V.438h-.875v.438h-.438v.438h-.437V.875h-.875v.438H.875v1.75h.875v.438h.438v-.438h2.625v.438h.438v-.438h.875v-1.75z" fill="#d1cdd5"/>
	<path d="M6.125 3.938V3.5h-1.75v-.437h-1.75v.438H.875v.438H.438v1.313h.438v.438h1.75v.438h.438v.438h.875v-.438h.438V5.69h1.75v-.438h.438V3.938z" fill="#57595f"/>
	<path d="M3.938 0h-.875v.438h.875zm-.875.438h-.438v.438h.438zm1.313 0h-.438v.438h.438zm1.313 0h-.875v.438h.875zm.438.438h-.438v.438h.438zm-1.313 0h-.438v.438h.438zM2.625.875h-.437v.438h.438zM2.188.438h-.875v.438h.875zm-1.313.875H.438v1.75h.438zm.438-.438H.875v.438h.438zM.875 3.5H.438v.438h.438zm-.437.438H0v1.313h.438zm.438 1.313H.438v.438h.438zm1.75.438H.875v.438h1.75zm.438.438h-.439v.438h.438zm.875.438h-.876v.438h.875zm.438-.438h-.439v.438h.438zm1.75-.438h-1.75v.438h1.75zm.438-.438h-.438v.438h.438zm.438-1.313h-.438v1.313h.438zM6.565 3.5h-.438v.438h.438zm0-2.188h-.438v1.75h.438zM2.188 3.5H1.75v.438h.438zm.438-.438h-.438V3.5h.438zm1.75-.438H2.625v.438h1.75zm.438.438h-.438V3.5h.438zm.438.438h-.438v.438h.438zm.438-.438h-.438V3.5h.875v-.437zm-4.377.001H.875v.438h.875v-.438z" fill="#000"/>
	<path d="M.875 4.813H.438v.438h.438zm.438.438H.875v.438h.438zm1.75.438h-.438v.438h.438zm1.313 0h-.438v.438h.438zm-.438.438h-.875v.438h.875zm2.188-.875h-.438v.438h.438zm.438-1.313h-.438v1.313h.438z" fill="#35363a"/>
	<path d="M1.313 2.625H.875v.438h.438zm.875.438H1.75v.438h.438zm3.063 0h-.438v.438h.438zm-2.626-.438h-.437v.438h.438zm2.188 0h-.438v.438h.438z" fill="#847d8b"/>
	<path d="M5.25 3.063h-.438v.438h.438zm-.875-.875h-1.75v.438h1.75zm1.75-.438h-.438v1.313h.438z" fill="#847d8b"/>
	<path d="M1.75 1.75h-.437v.438h.438zm-.437-.437H.875v.438h.438zm.875-.438h-.875v.438h.875zm.875 0h-.438v.438h.438zm.875-.438h-.875v.438h.875zm.438.438h-.438v.438h.438zm1.313 0h-.875v.438h.875zm.438.438h-.438v.438h.438z" fill="#f0f0f0"/>
	<path d="M.875 3.938H.438v.438h.438zm.438-.438H.875v.438h.438zm1.313 0h-.438v.438h.438zm1.75-.438H2.625V3.5h1.75zm.875.875h-.438v.438h.438zm.875-.438h-.875v.438h.875z" fill="#d8d8d8"/>
`;function ni(i={}){return l`<svg
		${H(i)}
		aria-hidden="true"
		role="img"
		width="14"
		height="14"
		viewBox="0 0 7 7"
		fill="none"
		xmlns="http://www.w3.org/2000/svg"
	>
		${ja}
	</svg>`}var Sa=w`
	<path d="M6.125 1.75v-.437h-.438V.875h-.438V.438H2.625v.438H1.75v.438h-.437v.438H.875v.875H.438v2.188h.438v.438h.438v.438h.438v.438h.438v.438h2.188v-.438h.875v-.438h.438v-.438h.438v-.875h.438V1.75z" fill="#bcef42"/>
	<path d="M6.563.438h-.875v.438h.875z" fill="#f0f0f0"/>
	<path d="M1.313 5.688H.438v.438h.875z" fill="#bcef42"/>
	<path d="M1.75 6.125H.438v.438h1.313z" fill="#7fb134"/>
	<path d="M6.563 3.5h-.438v.875h.438z" fill="#816bee"/>
	<path d="M5.25.438H2.625v.438H5.25z" fill="#f0f0f0"/>
	<path d="M5.25.875H2.625v.438H5.25z" fill="#b79cf8"/>
	<path d="M4.375 6.125H2.188v.438h2.188z" fill="#816bee"/>
	<path d="M6.563.875h-.438v.438h.438z" fill="#bcef42"/>
	<path d="M2.625 2.188h-.437v.438h.438zM1.313 1.75H.875v.438h.438zm.438-.438h-.438v.438h.438z" fill="#f0f0f0"/>
	<path d="M2.625 1.313h-.437v.438h.438zm3.063 0H5.25v.438h.438z" fill="#b79cf8"/>
	<path d="M2.188.875H1.75v.438h.438zm.875 1.75h-.438v.438h.438zM.875 5.25H.438v.438h.438z" fill="#f0f0f0"/>
	<path d="M6.125 4.813h-.438v.438h.438zm-.438.438h-.438v.438h.438zm-.438.438h-.438v.438h.438z" fill="#816bee"/>
	<path d="M6.563.438v.875h-.438V.875h-.438v.438h.438v.438h.438v2.625h.438V.438zm-5.25.875H.875v.438h.438zm.438-.438h.875V.438H1.75zh-.438v.438h.438zm4.813 3.5h-.438v.875h.438zM.875 1.75H.438v.875h.438zM5.25 6.125h-.875v.438h.875zm.875-.875h-.438v.438h.438zm-4.812 0H.875v.438h.438zm.438.438h-.438v.438h.438zm-.875-.875H.438v.438h.438zm4.813.875h-.438v.438h.438zM.438 2.625H0v3.938h.438z" fill="#000"/>
	<path d="M5.25.875h.438V.438h.875V0H2.625v.438H5.25zM2.188 6.563v-.438H1.75v.438H.438v.438h3.938v-.438z" fill="#000"/>
	<path d="M.875 2.625H.438V3.5h.438z" fill="#f0f0f0"/>
	<path d="M4.375 2.625H3.5v.438h.875zm-.438 1.75h-.874v.438h.875zm.875-1.313h-.438v.875h.438zm-3.5 1.75h.875v-.438H1.75V2.188h-.437zm3.5-3.063H3.063v.438h1.75zm-.438 3.5H2.625v.438h1.75zm2.188-3.063h-.438v1.313h.438zM.875 3.5H.438v1.313h.438zm1.313-1.75H1.75v.438h.438zm1.313 1.313h-.438v.438h.438zm-.438.875h-.438v.438h.438zm-.438.875h-.437v.438h.438zm1.75-.875h-.437v.438h.438zm.438.875h-.438v.438h.438zm.438-.438h-.438v.438h.438zm-2.188-1.75v-.437h-.438v.438h-.437v1.313h.438V2.625zm3.063-.875h-.438v.438h.438zm-.875.438h-.438v.438h.438zm.438.438h-.438v1.75h.438zM1.313 4.813H.875v.438h.438zm.438.438h-.438v.438h.438zm.438.438H1.75v.438h.438z" fill="#b79cf8"/>
`;function ci(i={}){return l`<svg
		${H(i)}
		aria-hidden="true"
		role="img"
		width="14"
		height="14"
		viewBox="0 0 7 7"
		fill="none"
		xmlns="http://www.w3.org/2000/svg"
	>
		${Sa}
	</svg>`}var Da=w`
	<path d="M6.125 1.75v-.437h-.438V.875h-.438V.438H1.75v.438h-.437v.438H.875v.438H.438v2.625h.438v.438h.438v.438h.438v.875h.438v.438h2.625v-.438h.438v-.875h.438v-.438h.438v-.438h.438V1.75z" fill="#d1cdd5"/>
	<path d="M1.75.438h-.437v.438h.438zm-.437.437H.875v.438h.438zm-.438.438H.438v.438h.438zm.875 3.938h-.437v.875h.438zm-.438-.438H.875v.438h.438zm.875 1.313H1.75v.438h.438zM.874 4.376H.438v.438h.438z" fill="#000"/>
	<path d="M1.75 4.813h-.437v.438h.438zm.438.875H1.75v.438h.438zm-.875-1.313H.875v.438h.438zm1.75-1.313H1.75v1.313h1.313z" fill="#847d8b"/>
	<path d="M3.063 3.5h-.875v.875h.875z" fill="#57595f"/>
	<path d="M5.25 3.063H3.938v1.313h1.313z" fill="#847d8b"/>
	<path d="M5.25 3.5h-.875v.875h.875z" fill="#57595f"/>
	<path d="M5.25 5.254h.438v-.438H5.25zm-.438.875h.438v-.438h-.438zm.875-1.313h.438v-.438h-.438z" fill="#847d8b"/>
	<path d="M.438 1.75H0v2.625h.438z" fill="#000"/>
	<path d="M.875 1.75H.438v2.625h.438z" fill="#fff"/>
	<path d="M5.25.879h.438V.441H5.25zm.438.438h.438V.879h-.438zm.438.438h.438v-.438h-.438zM5.251 6.13h.438v-.875h-.438zm.438-.875h.438v-.438h-.438zm-.875 1.313h.438V6.13h-.438zm1.313-1.75h.438V4.38h-.438zm.438-.438h.438V1.755h-.438z" fill="#000"/>
	<path d="M6.125 4.379h.438V1.754h-.438z" fill="#847d8b"/>
	<path d="M1.75 0v.438h3.5V0z" fill="#000"/>
	<path d="M1.75.875h-.437v.438h.438zm-.437.438H.875v.438h.438zm.438.438h-.438v.438h.438zm3.5-.433h.438V.88h-.438zm.438.438h.438v-.438h-.438zM1.75.438v.438h3.5V.438z" fill="#fff"/>
	<path d="M2.188 6.563v.438h2.625v-.438z" fill="#000"/>
	<path d="M2.188 6.125v.438h2.625v-.438z" fill="#847d8b"/>
	<path d="M3.063 5.688h-.438v.875h.438zm1.313 0h-.438v.875h.438z" fill="#57595f"/>
`;function di(i={}){return l`<svg
		${H(i)}
		aria-hidden="true"
		role="img"
		width="14"
		height="14"
		viewBox="0 0 7 7"
		fill="none"
		xmlns="http://www.w3.org/2000/svg"
	>
		${Da}
	</svg>`}var Ia=w`
	<path d="M3.063 0H1.75v.438h1.313zm1.75.438h-1.75v.438h1.75zm-.875 2.187H3.5v1.75h.438zm-3.5-.437H0v2.625h.438zM6.563.875h-1.75v.438h1.75z" fill="#000"/>
	<path d="M3.063.438H1.75v.438h1.313zm1.75.438h-1.75v.438h1.75zm1.75.438h-1.75v.438h1.75z" fill="#f0f0f0"/>
	<path d="M3.063 6.563H1.75v.438h1.313z" fill="#000"/>
	<path d="M2.625 6.125v-.438h-.437v-.875H1.75V2.188h.438v-.875h.438V.875H1.75v.438H.875v1.75H.438v1.75h.438v.875h.438v.438h.438v.438h1.313v-.438z" fill="#ffe361"/>
	<path d="M3.063 6.125H1.75v.438h1.313z" fill="#ffb84b"/>
	<path d="M4.813 6.125h-1.75v.438h1.75z" fill="#000"/>
	<path d="M4.375 5.688V5.25h-.437v-.875H3.5v-1.75h.438V1.75h.438v-.437H3.063v.438h-.438v1.313h-.437v1.75h.438v.875h.438v.438h1.75v-.438z" fill="#ffe361"/>
	<path d="M6.563 5.688h-1.75v.438h1.75zM1.75.438h-.437v.438h.438zm-.437.437H.875v.438h.438zm-.438.438H.438v.875h.438zm6.125 0h-.438v.438H7zm-.438.438h-.438v.438h.438zm-.438.438h-.438v.875h.438zm.875 3.063h-.438v.438h.438zm-.438-.438h-.438v.438h.438zm-.438-.875h-.438v.875h.438zm-.438-.875h-.438v.875h.438zM1.747 6.127h-.434v.438h.438zm-.438-.438H.875v.438h.438zm-.438-.875H.438v.875h.438zm1.313-2.625H1.75v2.625h.438zM3.059.876h-.434v.438h.438zm-.434.437h-.437v.875h.438z" fill="#000"/>
	<path d="M.875 2.188H.438v.875h.438zm1.75 0h-.437v.875h.438z" fill="#f0f0f0"/>
	<path d="M2.188 1.313H1.75v.875h.438z" fill="#ffb84b"/>
	<path d="M4.813 1.313h-.438v.438h.438z" fill="#000"/>
	<path d="M1.75.875h-.437v.438h.438z" fill="#f0f0f0"/>
	<path d="M2.625.875h-.437v.438h.438zm1.313.875H3.5v.875h.438zm.438-.438h-.438v.438h.438zm-2.188 3.5H1.75v.438h.438zm-.438.875h-.437v.438h.438zm-.438-.875H.875v.875h.438zm2.188.875v-.438h-.437v-.438h-.438v.875h.438v.438h1.75v-.438zm.438-1.313H3.5v.438h.438z" fill="#ffb84b"/>
	<path d="M4.375 5.688V5.25h-.437v-.875H3.5v-1.75h.438V1.75h.438v-.437H3.063v.438h-.438v1.313h-.437v1.75h.438v.875h.438v.438h1.75v-.438z" fill="url(#a)"/>
	<path d="M6.125 5.25v-.438h-.438v-.874h-.438v-.875h.438v-.875h.438V1.75H4.812v.438h-.438v.438h-.436v1.75h.438v.875h.438v.438h1.75v-.438z" fill="#ff2c52"/>
	<path d="M5.688 2.188H5.25v.875h.438zm.438-.438h-.438v.438h.438zm-.438 2.188H5.25v.438h.438zM5.25 5.251v-.438h-.875v.438h.438v.438h1.75v-.438z" fill="#be0351"/>
	<path d="M1.313 1.313H.875v.438h.438zm0 1.75H.875v.438h.438zm1.75-1.75h-.438v.438h.438zm1.75.438h-.438v.438h.438zm-.438.875h-.437v.438h.438z" fill="#f0f0f0"/>
	<path d="M4.375 1.75h-.437v.875h.438zM3.062 5.688h-.437v.438h.438zm-.438-.875h-.436v.875h.438zm2.188.438h-.438v.438h.438zm-.438-.875h-.436v.875h.438z" fill="#000"/>
	<defs>
		<radialGradient id="a" cx=".75" cy=".5" r="1" fx=".75" fy=".5">
		<stop stop-color="#ff2c52" offset="30%"/>
		<stop stop-color="#ffe361" offset="70%"/>
		</radialGradient>
	</defs>
`;function mi(i={}){return l`<svg
		${H(i)}
		aria-hidden="true"
		role="img"
		width="14"
		height="14"
		viewBox="0 0 7 7"
		fill="none"
		xmlns="http://www.w3.org/2000/svg"
	>
		${Ia}
	</svg>`}var Ba=w`
	<path d="M4.813.438v.438h-.438v.438h-.437v.438H3.5v.438h-.437v.875h-.438v.438H3.5v.875h.438v-.44h.875V3.5h.438v-.437h.438v-.438h.438v-.437h.438V.438z" fill="#d1cdd5"/>
	<path d="M1.313 3.938h.438v.438h.875v.875h.438v.438h.875v.438h.875v-.875h-.876v-.438H3.5v-.438h-.437v-.438h-.438V3.5h-.437v-.437H1.75v-.875H.875v.875h.438z" fill="#ffe361"/>
	<path d="M2.188 4.813h-.875v.875h.875zm-.875.875H.438v.875h.875z" fill="#ffe361"/>
	<path d="M4.813.438h-.438v.438h.438zm-.438.438h-.437v.438h.438zm-.437.437H3.5v.438h.438zM3.5 1.75h-.437v.438h.438zm-.437.438h-.438v.875h.438zm-.875 0H1.75v.875h.438zm-1.313 0H.438v.875h.438zm.438.875H.875v.875h.438zm3.5.875h-.875v.438h.875zm0 .875h-.875v.438h.875zm.438.438h-.438v.875h.438z" fill="#000"/>
	<path d="M6.563.438h-.438v1.75h.438z" fill="#847d8b"/>
	<path d="M.438 5.688H0v.875h.438zm4.375.438h-.875v.438h.875zm-.875-.438h-.875v.438h.875z" fill="#000"/>
	<path d="M2.188 5.25h-.875v.438h.875zm-.875.875H.438v.438h.875z" fill="#ffb84b"/>
	<path d="M1.313 6.125v.438h.438v-.438h.438v-.438h-.876zm1.313-.875v-.875H1.75v-.437h-.437v.875h.875v.875h.875V5.25zm-1.313 0v-.438H.875v.438H.438v.438h.875zm0 1.313H.438v.438h.875zM1.75 1.75H.875v.438h.875zm1.313 2.188v.438h.438V3.5h-.876v.438z" fill="#000"/>
	<path d="M5.688 1.313H5.25v.438h.438zm-.438.438h-.438v.438h.438zm-.438.438h-.438v.438h.438zm-.438.438h-.436v.438h.438zm-.436.436H3.5v.438h.438z" fill="#847d8b"/>
	<path d="M3.063 3.063h-.438v.438h.438z" fill="#f0f0f0"/>
	<path d="M1.75 3.5h-.437v.438h.438zm-.437-.875H.875v.438h.438zm.875 1.313H1.75v.438h.438zm.875.875h-.438v.438h.438zm.438.438h-.438v.438h.438zm.875.438h-.438v.438h.438z" fill="#ffb84b"/>
	<path d="M3.938 4.375H3.5v.438h.438zM2.625 3.063h-.437v.438h.438zm3.938-.875h-.438v.438h.438zm-.438.438h-.438v.438h.438zm-.438.438h-.438v.438h.438zm-.438.438h-.438v.438h.438zm-.438-3.5V.44h1.75v1.75h.438V0z" fill="#000"/>
	<path d="M4.813 5.25h-.438v.438h.438zm-.875-.438H3.5v.438h.438zM3.5 4.374h-.437v.438h.438zm-.437-.436h-.438v.438h.438zM2.625 3.5h-.437v.438h.438zm-.437-.437H1.75v.438h.438zM3.5 2.188h-.437v.438h1.313v-.438h-.438V1.75H3.5zM4.375.875v.438h-.437v.438h1.313v-.438h-.438V.875zm1.75-.438H4.812v.438h1.313z" fill="#f0f0f0"/>
	<path d="M6.125 2.188h-.438v.438h.438zm-.438.438h-.438v.438h.438zm-.438.438h-.438v.438h.438zm-.438.438h-.438v.438h.438zm-.873.436H3.5v.438h.438z" fill="#847d8b"/>
	<path d="M1.75 2.188h-.437v.438h.438zm0 2.625h-.437v.438h.438zm-.875.875H.438v.438h.438z" fill="#f0f0f0"/>
`;function fi(i={}){return l`<svg
		${H(i)}
		aria-hidden="true"
		role="img"
		width="14"
		height="14"
		viewBox="0 0 7 7"
		fill="none"
		xmlns="http://www.w3.org/2000/svg"
	>
		${Ba}
	</svg>`}var Oa=w`
	<path d="M5.688 2.625v-.437H5.25V1.75h-.438v-.437h-.438V.875h-.436V.438h-.875v.438h-.438v.438h-.437v.438H1.75v.438h-.437v.438H.875v.875H.438v2.188h.438v.438h.875v.438h3.5v-.438h.875v-.438h.438V3.5h-.438v-.875z" fill="#0abbff"/>
	<path d="M3.063 0v.438h.875V0zm-.438.438v.438h.438V.438zm1.313 0v.438h.438V.438zm.438.438v.438h.438V.875zm.438.438v.438h.438v-.439zm.438.438v.438h.438v-.44zm.438.438v.438h.438v-.44zm.438.438v.875h.438v-.878zm-5.69-.003V3.5h.438v-.875zM0 3.5v2.188h.438V3.5zm6.563 0v2.188h.438V3.5zM2.188.875v.438h.438V.875zm-.438.438v.438h.438v-.438zm-.437.437v.438h.438V1.75zm-.438.438v.438h.438v-.438zm-.438 3.5v.438h.438v-.438zm5.688 0v.438h.438v-.438zm-4.375.875v.438h3.5v-.438z" fill="#000"/>
	<path d="M1.75 6.125v.438h3.5v-.438z" fill="#4282d8"/>
	<path d="M.875 6.125v.438h.875v-.438zm5.25.438v-.438H5.25v.438z" fill="#000"/>
	<path d="M3.063.438v.438h.875V.438z" fill="#fff"/>
	<path opacity=".5" d="M4.813 3.5v-.437h-.438v-.438h-.437v-.437h-.875v.438h-.438v.438h-.437v.438H1.75v1.313h.438v.438h2.625v-.438h.438V3.5z" fill="#fff"/>
	<path d="M2.625.875v.438h.438V.875zm-.437.438v.438h.438v-.438zm.438.438v.438h.438V1.75zM1.75 1.75v.438h.438V1.75zm-.437.438v.438h.438v-.438zm-.438.437V3.5h.438v-.875zM.438 3.5v.875h.438V3.5z" fill="#fff"/>
	<path d="M5.25 2.188v.438h.438v-.438zm.438.438v.875h.438v-.876zm.438.875v1.75h-.438v.438H5.25v.438h.875v-.438h.438V3.5zM.875 6.125h.875v-.438H.875z" fill="#4282d8"/>
`;function vi(i={}){return l`<svg
		${H(i)}
		aria-hidden="true"
		role="img"
		width="14"
		height="14"
		viewBox="0 0 7 7"
		fill="none"
		xmlns="http://www.w3.org/2000/svg"
	>
		${Oa}
	</svg>`}var La=globalThis.$discordMessage??{};function Ue(){return La}var ji={blue:"https://cdn.discordapp.com/embed/avatars/0.png",gray:"https://cdn.discordapp.com/embed/avatars/1.png",green:"https://cdn.discordapp.com/embed/avatars/2.png",orange:"https://cdn.discordapp.com/embed/avatars/3.png",red:"https://cdn.discordapp.com/embed/avatars/4.png",pink:"https://cdn.discordapp.com/embed/avatars/5.png"},Si=Ue().avatars??{},Fe=Object.assign(ji,Si,{default:ji[Si.default]??Si.default??ji.blue}),pi=Ue().profiles??{},Is=Ue().defaultTheme==="light"?"light":"dark",Bs=Ue().defaultMode==="compact"?"compact":"cozy",Os=Ue().defaultBackground==="none"?"none":"discord",Ls=new Map([["heart",Yt()],["crystal",Gt()],["diamond",Kt()],["explosion",Jt()],["flame",Qt()],["flower",Xt()],["key",ei()],["leaf",ti()],["lightning",ii()],["magic",si()],["moon",ai()],["mushroom",ri()],["mythical",oi()],["ornament",hi()],["plasma",li()],["rock",ni()],["shell",ci()],["skull",di()],["sun",mi()],["sword",fi()],["water",vi()]]);var Pa=w`
	<path
		fill="currentColor"
		d="M18.91 12.98a5.45 5.45 0 0 1 2.18 6.2c-.1.33-.09.68.1.96l.83 1.32a1 1 0 0 1-.84 1.54h-5.5A5.6 5.6 0 0 1 10 17.5a5.6 5.6 0 0 1 5.68-5.5c1.2 0 2.32.36 3.23.98Z"
	/>
	<path
		fill="currentColor"
		d="M19.24 10.86c.32.16.72-.02.74-.38L20 10c0-4.42-4.03-8-9-8s-9 3.58-9 8c0 1.5.47 2.91 1.28 4.11.14.21.12.49-.06.67l-1.51 1.51A1 1 0 0 0 2.4 18h5.1a.5.5 0 0 0 .49-.5c0-4.2 3.5-7.5 7.68-7.5 1.28 0 2.5.3 3.56.86Z"
	/>
`;function wt(i={}){return l`<svg
		${H(i)}
		class="discord-mention-icon"
		aria-hidden="false"
		width="24"
		height="24"
		viewBox="0 0 20 20"
		xmlns="http://www.w3.org/2000/svg"
	>
		${Pa}
	</svg>`}var Na=w`
	<path
		fill="currentColor"
		fill-rule="evenodd"
		clip-rule="evenodd"
		d="M10.99 3.16A1 1 0 1 0 9 2.84L8.15 8H4a1 1 0 0 0 0 2h3.82l-.67 4H3a1 1 0 1 0 0 2h3.82l-.8 4.84a1 1 0 0 0 1.97.32L8.85 16h4.97l-.8 4.84a1 1 0 0 0 1.97.32l.86-5.16H20a1 1 0 1 0 0-2h-3.82l.67-4H21a1 1 0 1 0 0-2h-3.82l.8-4.84a1 1 0 1 0-1.97-.32L15.15 8h-4.97l.8-4.84ZM14.15 14l.67-4H9.85l-.67 4h4.97Z"
	/>
`;function Ht(i={}){return l`<svg
		${H(i)}
		class="discord-mention-icon"
		aria-hidden="false"
		width="24"
		height="24"
		viewBox="0 0 24 24"
		xmlns="http://www.w3.org/2000/svg"
	>
		${Na}
	</svg>`}var Ra=w`
	<path
		fill="currentColor"
		d="M12 2.81a1 1 0 0 1 0-1.41l.36-.36a1 1 0 0 1 1.41 0l9.2 9.2a1 1 0 0 1 0 1.4l-.7.7a1 1 0 0 1-1.3.13l-9.54-6.72a1 1 0 0 1-.08-1.58l1-1L12 2.8ZM12 21.2a1 1 0 0 1 0 1.41l-.35.35a1 1 0 0 1-1.41 0l-9.2-9.19a1 1 0 0 1 0-1.41l.7-.7a1 1 0 0 1 1.3-.12l9.54 6.72a1 1 0 0 1 .07 1.58l-1 1 .35.36ZM15.66 16.8a1 1 0 0 1-1.38.28l-8.49-5.66A1 1 0 1 1 6.9 9.76l8.49 5.65a1 1 0 0 1 .27 1.39ZM17.1 14.25a1 1 0 1 0 1.11-1.66L9.73 6.93a1 1 0 0 0-1.11 1.66l8.49 5.66Z"
	/>
`;function $t(i={}){return l`<svg
		${H(i)}
		class="discord-mention-icon"
		aria-hidden="false"
		width="24"
		height="24"
		viewBox="0 0 24 24"
		xmlns="http://www.w3.org/2000/svg"
	>
		${Ra}
	</svg>`}var Ua=w`
	<path
		fill="currentColor"
		fill-rule="evenodd"
		clip-rule="evenodd"
		d="M6 9h1V6a5 5 0 0 1 10 0v3h1a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3v-8a3 3 0 0 1 3-3Zm9-3v3H9V6a3 3 0 1 1 6 0Zm-1 8a2 2 0 0 1-1 1.73V18a1 1 0 1 1-2 0v-2.27A2 2 0 1 1 14 14Z"
	/>
`;function Ct(i={}){return l`<svg
		${H(i)}
		class="discord-mention-icon"
		aria-hidden="false"
		width="24"
		height="24"
		viewBox="0 0 24 24"
		xmlns="http://www.w3.org/2000/svg"
	>
		${Ua}
	</svg>`}var Fa=w`
	<path
		fill="currentColor"
		d="M12 3a1 1 0 0 0-1-1h-.06a1 1 0 0 0-.74.32L5.92 7H3a1 1 0 0 0-1 1v8a1 1 0 0 0 1 1h2.92l4.28 4.68a1 1 0 0 0 .74.32H11a1 1 0 0 0 1-1V3ZM15.1 20.75c-.58.14-1.1-.33-1.1-.92v-.03c0-.5.37-.92.85-1.05a7 7 0 0 0 0-13.5A1.11 1.11 0 0 1 14 4.2v-.03c0-.6.52-1.06 1.1-.92a9 9 0 0 1 0 17.5Z"
	/>
	<path
		fill="currentColor"
		d="M15.16 16.51c-.57.28-1.16-.2-1.16-.83v-.14c0-.43.28-.8.63-1.02a3 3 0 0 0 0-5.04c-.35-.23-.63-.6-.63-1.02v-.14c0-.63.59-1.1 1.16-.83a5 5 0 0 1 0 9.02Z"
	/>
`;function kt(i={}){return l`<svg
		${H(i)}
		class="discord-mention-icon"
		aria-hidden="false"
		width="24"
		height="24"
		viewBox="0 0 24 24"
		xmlns="http://www.w3.org/2000/svg"
	>
		${Fa}
	</svg>`}var Xe=function(i,e,s,t,a,h){function r(p){if(p!==void 0&&typeof p!="function")throw new TypeError("Function expected");return p}for(var c=t.kind,u=c==="getter"?"get":c==="setter"?"set":"value",v=!e&&i?t.static?i:i.prototype:null,n=e||(v?Object.getOwnPropertyDescriptor(v,t.name):{}),o,M=!1,_=s.length-1;_>=0;_--){var z={};for(var f in t)z[f]=f==="access"?{}:t[f];for(var f in t.access)z.access[f]=t.access[f];z.addInitializer=function(p){if(M)throw new TypeError("Cannot add initializers after decoration has completed");h.push(r(p||null))};var d=(0,s[_])(c==="accessor"?{get:n.get,set:n.set}:n[u],z);if(c==="accessor"){if(d===void 0)continue;if(d===null||typeof d!="object")throw new TypeError("Object expected");(o=r(d.get))&&(n.get=o),(o=r(d.set))&&(n.set=o),(o=r(d.init))&&a.unshift(o)}else(o=r(d))&&(c==="field"?a.unshift(o):n[u]=o)}v&&Object.defineProperty(v,t.name,n),M=!0},xe=function(i,e,s){for(var t=arguments.length>2,a=0;a<e.length;a++)s=t?e[a].call(i,s):e[a].call(i);return t?s:void 0},ie="light-theme",Te="compact-mode",Di="no-background",Ps=(()=>{let i=[K("discord-messages")],e,s=[],t,a=q,h,r=[],c=[],u,v=[],n=[],o,M=[],_=[],z,f=[],d=[],p,j=[],E=[];var N=class extends a{static{t=this}static{let $=typeof Symbol=="function"&&Symbol.metadata?Object.create(a[Symbol.metadata]??null):void 0;h=[Mt({context:ie}),g({type:Boolean,reflect:!0,attribute:"light-theme"})],u=[Mt({context:Di}),g({type:Boolean,reflect:!0,attribute:"no-background"})],o=[Mt({context:Te}),g({type:Boolean,reflect:!0,attribute:"compact-mode"})],z=[g({reflect:!0,attribute:"channel-type"})],p=[g({reflect:!0,attribute:"channel-name"})],Xe(this,null,h,{kind:"accessor",name:"lightTheme",static:!1,private:!1,access:{has:y=>"lightTheme"in y,get:y=>y.lightTheme,set:(y,P)=>{y.lightTheme=P}},metadata:$},r,c),Xe(this,null,u,{kind:"accessor",name:"noBackground",static:!1,private:!1,access:{has:y=>"noBackground"in y,get:y=>y.noBackground,set:(y,P)=>{y.noBackground=P}},metadata:$},v,n),Xe(this,null,o,{kind:"accessor",name:"compactMode",static:!1,private:!1,access:{has:y=>"compactMode"in y,get:y=>y.compactMode,set:(y,P)=>{y.compactMode=P}},metadata:$},M,_),Xe(this,null,z,{kind:"accessor",name:"channelType",static:!1,private:!1,access:{has:y=>"channelType"in y,get:y=>y.channelType,set:(y,P)=>{y.channelType=P}},metadata:$},f,d),Xe(this,null,p,{kind:"accessor",name:"channelName",static:!1,private:!1,access:{has:y=>"channelName"in y,get:y=>y.channelName,set:(y,P)=>{y.channelName=P}},metadata:$},j,E),Xe(null,e={value:t},i,{kind:"class",name:t.name,metadata:$},null,s),N=t=e.value,$&&Object.defineProperty(t,Symbol.metadata,{enumerable:!0,configurable:!0,writable:!0,value:$})}static styles=G`
		:host {
			color: #fff;
			background-color: #36393e;
			display: block;
			font-size: 16px;
			font-family: 'gg sans', 'Noto Sans', Whitney, 'Helvetica Neue', Helvetica, Roboto, Arial, sans-serif;
			line-height: 170%;
			border: 1px solid rgba(255, 255, 255, 0.05);
		}

		:host([light-theme]) {
			color: #747f8d;
			background-color: #fff;
			border-color: #dedede;
		}

		:host([no-background]) {
			background-color: unset;
		}

		::slotted(*) {
			padding-top: 0.125rem;
			padding-bottom: 0.125rem;
		}

		::slotted(*:first-child) {
			margin-top: 0.5rem;
		}

		::slotted(*:not(:first-child)) {
			margin-top: 1.0625rem;
		}

		:host([compact-mode]) ::slotted(*:not(:first-child)) {
			margin-top: unset;
		}

		::slotted(*:last-child) {
			margin-bottom: 0.5rem;
			border-bottom-width: 0;
		}

		:host .discord-channel-header {
			display: flex;
			align-items: center;
			padding: 0.5rem 1rem;
			box-shadow:
				0 2px 0 0 rgba(0, 0, 0, 0.05),
				0 1.5px 0 0 rgba(0, 0, 0, 0.05),
				0 1px 0 0 rgba(0, 0, 0, 0.16);
		}

		:host .discord-channel-icon {
			height: 24px;
			width: auto;
			margin: 0 8px;
			position: relative;
			flex: 0 0 auto;
			color: #80848e;
		}

		:host([light-theme]) .discord-channel-icon {
			color: #6d6f78;
		}

		:host .discord-channel-name {
			margin: 0 8px 0 0;
			flex: 0 0 auto;
			min-width: auto;
		}
	`;#e=xe(this,r,!1);get lightTheme(){return this.#e}set lightTheme($){this.#e=$}#t=(xe(this,c),xe(this,v,!1));get noBackground(){return this.#t}set noBackground($){this.#t=$}#i=(xe(this,n),xe(this,M,!1));get compactMode(){return this.#i}set compactMode($){this.#i=$}#s=(xe(this,_),xe(this,f,void 0));get channelType(){return this.#s}set channelType($){this.#s=$}#a=(xe(this,d),xe(this,j,void 0));get channelName(){return this.#a}set channelName($){this.#a=$}connectedCallback(){super.connectedCallback(),(this.lightTheme||Is==="light"&&this.lightTheme)&&(this.lightTheme=!0),(this.compactMode||Bs==="compact"&&this.compactMode)&&(this.compactMode=!0),(this.noBackground||Os==="none"&&this.noBackground)&&(this.noBackground=!0)}render(){let $;switch(this.channelType){case"text":$=l`${Ht()}`;break;case"voice":$=l`${kt()}`;break;case"locked":$=l`${Ct()}`;break;case"thread":$=l`${$t()}`;break;case"forum":$=l`${wt()}`;break}return l`
			${O(this.channelType&&this.channelName,()=>l`<div class="discord-channel-header">
						<div class="discord-channel-icon">${$}</div>
						<div class="discord-channel-name">${this.channelName}</div>
					</div>`)}
			<slot></slot>
		`}constructor(){super(...arguments),xe(this,E)}static{xe(t,s)}};return N=t})();var qa=w`
	<path d="M7.4,11.17,4,8.62,5,7.26l2,1.53L10.64,4l1.36,1Z" fill="currentColor" />
`;function Se(i={}){return l`<svg
		${H(i)}
		class="discord-application-tag-verified"
		aria-label="Verified App"
		aria-hidden="false"
		width="16"
		height="16"
		viewBox="0 0 16 15.2"
		xmlns="http://www.w3.org/2000/svg"
	>
		${qa}
	</svg>`}var Ii=function(i,e,s,t,a,h){function r(p){if(p!==void 0&&typeof p!="function")throw new TypeError("Function expected");return p}for(var c=t.kind,u=c==="getter"?"get":c==="setter"?"set":"value",v=!e&&i?t.static?i:i.prototype:null,n=e||(v?Object.getOwnPropertyDescriptor(v,t.name):{}),o,M=!1,_=s.length-1;_>=0;_--){var z={};for(var f in t)z[f]=f==="access"?{}:t[f];for(var f in t.access)z.access[f]=t.access[f];z.addInitializer=function(p){if(M)throw new TypeError("Cannot add initializers after decoration has completed");h.push(r(p||null))};var d=(0,s[_])(c==="accessor"?{get:n.get,set:n.set}:n[u],z);if(c==="accessor"){if(d===void 0)continue;if(d===null||typeof d!="object")throw new TypeError("Object expected");(o=r(d.get))&&(n.get=o),(o=r(d.set))&&(n.set=o),(o=r(d.init))&&a.unshift(o)}else(o=r(d))&&(c==="field"?a.unshift(o):n[u]=o)}v&&Object.defineProperty(v,t.name,n),M=!0},Tt=function(i,e,s){for(var t=arguments.length>2,a=0;a<e.length;a++)s=t?e[a].call(i,s):e[a].call(i);return t?s:void 0},Ns=(()=>{let i=[K("discord-verified-author-tag")],e,s=[],t,a=q,h,r=[],c=[],u,v=[],n=[];var o=class extends a{static{t=this}static{let M=typeof Symbol=="function"&&Symbol.metadata?Object.create(a[Symbol.metadata]??null):void 0;h=[g({type:Boolean})],u=[Y({context:Te}),g({type:Boolean,reflect:!0,attribute:"compact-mode"})],Ii(this,null,h,{kind:"accessor",name:"verified",static:!1,private:!1,access:{has:_=>"verified"in _,get:_=>_.verified,set:(_,z)=>{_.verified=z}},metadata:M},r,c),Ii(this,null,u,{kind:"accessor",name:"compactMode",static:!1,private:!1,access:{has:_=>"compactMode"in _,get:_=>_.compactMode,set:(_,z)=>{_.compactMode=z}},metadata:M},v,n),Ii(null,e={value:t},i,{kind:"class",name:t.name,metadata:M},null,s),o=t=e.value,M&&Object.defineProperty(t,Symbol.metadata,{enumerable:!0,configurable:!0,writable:!0,value:M})}static styles=G`
		:host {
			background-color: #5865f2;
			color: #fff;
			font-size: 0.625em;
			margin-left: 4px;
			border-radius: 3px;
			line-height: 100%;
			text-transform: uppercase;
			display: inline-flex;
			align-items: center;
			height: 0.9375rem;
			padding: 0 0.275rem;
			margin-top: 0.075em;
			border-radius: 0.1875rem;
		}

		:host .discord-application-tag-verified {
			display: inline-block;
			width: 0.9375rem;
			height: 0.9375rem;
			margin-left: -0.25rem;
		}

		:host([compact-mode]) {
			padding-left: 10px;
			padding-right: 4px;
			margin-right: 0.25rem;
			margin-left: 0px !important;
			margin-top: 0px !important;
		}

		:host([compact-mode]) .discord-application-tag-verified {
			margin-right: 0.7em;
			margin-left: -0.7em;
		}
	`;#e=Tt(this,r,!1);get verified(){return this.#e}set verified(M){this.#e=M}#t=(Tt(this,c),Tt(this,v,!1));get compactMode(){return this.#t}set compactMode(M){this.#t=M}render(){return l`${O(this.verified,()=>Se())}App`}constructor(){super(...arguments),Tt(this,n)}static{Tt(t,s)}};return o=t})();var W=i=>i??ee;var Bi=class extends je{update(e,[s]){this.set??=new Set;for(let t of this.set)s[t]==null&&e.element.style.removeProperty(t);this.set.clear();for(let[t,a]of Object.entries(s))a!=null&&(this.set.add(t),e.element.style.setProperty(t,a));return ne}render(){return ne}},qe=Re(Bi);var ui=class extends Error{constructor(e){super(e),this.name="DiscordComponentsError"}},Za=new Intl.DateTimeFormat("en-US",{day:"2-digit",month:"2-digit",year:"numeric"}),Wa=new Intl.DateTimeFormat("en-US",{hour12:!0,hour:"2-digit",minute:"2-digit"}),Ga=new Intl.DateTimeFormat("en-US",{hour12:!1,hour:"2-digit",minute:"2-digit"}),Ka=i=>i instanceof Date?Za.format(i):i,Ja=(i,e=!1)=>i instanceof Date?e?Ga.format(i):Wa.format(i):i;function De(i,e=!1,s=!1){if(!(i instanceof Date)&&typeof i!="string")throw new TypeError("Timestamp prop must be a Date object or a string.");return e?Ja(i,s):Ka(i)}var Qa=/(?:<(?<animated>a)?:(?<name>\w{2,32}):)?(?<id>\d{17,21})>?/;function gi(i){let e=Ue().emojis?.[i];if(e)return e;let s=Qa.exec(i);if(s?.groups){let{name:t,id:a,animated:h}=s.groups;return{name:t,url:`https://cdn.discordapp.com/emojis/${a}.${h?"gif":"png"}`}}}function zi(i){if(i)return Ls.get(i)??i}var ae=function(i,e,s,t,a,h){function r(p){if(p!==void 0&&typeof p!="function")throw new TypeError("Function expected");return p}for(var c=t.kind,u=c==="getter"?"get":c==="setter"?"set":"value",v=!e&&i?t.static?i:i.prototype:null,n=e||(v?Object.getOwnPropertyDescriptor(v,t.name):{}),o,M=!1,_=s.length-1;_>=0;_--){var z={};for(var f in t)z[f]=f==="access"?{}:t[f];for(var f in t.access)z.access[f]=t.access[f];z.addInitializer=function(p){if(M)throw new TypeError("Cannot add initializers after decoration has completed");h.push(r(p||null))};var d=(0,s[_])(c==="accessor"?{get:n.get,set:n.set}:n[u],z);if(c==="accessor"){if(d===void 0)continue;if(d===null||typeof d!="object")throw new TypeError("Object expected");(o=r(d.get))&&(n.get=o),(o=r(d.set))&&(n.set=o),(o=r(d.init))&&a.unshift(o)}else(o=r(d))&&(c==="field"?a.unshift(o):n[u]=o)}v&&Object.defineProperty(v,t.name,n),M=!0},J=function(i,e,s){for(var t=arguments.length>2,a=0;a<e.length;a++)s=t?e[a].call(i,s):e[a].call(i);return t?s:void 0},Rs=(()=>{let i=[K("discord-author-info")],e,s=[],t,a=q,h,r=[],c=[],u,v=[],n=[],o,M=[],_=[],z,f=[],d=[],p,j=[],E=[],N,$=[],y=[],P,S=[],C=[],R,se=[],re=[],ce,de=[],me=[],fe,ve=[],pe=[],ue,ge=[],ze=[],_e,be=[],ye=[],Me,B=[],T=[];var U=class extends a{static{t=this}static{let D=typeof Symbol=="function"&&Symbol.metadata?Object.create(a[Symbol.metadata]??null):void 0;h=[g()],u=[g({type:Boolean})],o=[g({type:Boolean})],z=[g({type:Boolean,attribute:"official-app"})],p=[g({type:Boolean})],N=[g({attribute:"role-color"})],P=[g({attribute:"role-icon"})],R=[g({attribute:"role-name"})],ce=[g({attribute:"clan-icon"})],fe=[g({attribute:"clan-tag"})],ue=[g({type:Boolean})],_e=[Y({context:Te}),g({type:Boolean,reflect:!0,attribute:"compact-mode"})],Me=[Y({context:ie}),g({type:Boolean,reflect:!0,attribute:"light-theme"})],ae(this,null,h,{kind:"accessor",name:"author",static:!1,private:!1,access:{has:k=>"author"in k,get:k=>k.author,set:(k,Z)=>{k.author=Z}},metadata:D},r,c),ae(this,null,u,{kind:"accessor",name:"bot",static:!1,private:!1,access:{has:k=>"bot"in k,get:k=>k.bot,set:(k,Z)=>{k.bot=Z}},metadata:D},v,n),ae(this,null,o,{kind:"accessor",name:"server",static:!1,private:!1,access:{has:k=>"server"in k,get:k=>k.server,set:(k,Z)=>{k.server=Z}},metadata:D},M,_),ae(this,null,z,{kind:"accessor",name:"officialApp",static:!1,private:!1,access:{has:k=>"officialApp"in k,get:k=>k.officialApp,set:(k,Z)=>{k.officialApp=Z}},metadata:D},f,d),ae(this,null,p,{kind:"accessor",name:"op",static:!1,private:!1,access:{has:k=>"op"in k,get:k=>k.op,set:(k,Z)=>{k.op=Z}},metadata:D},j,E),ae(this,null,N,{kind:"accessor",name:"roleColor",static:!1,private:!1,access:{has:k=>"roleColor"in k,get:k=>k.roleColor,set:(k,Z)=>{k.roleColor=Z}},metadata:D},$,y),ae(this,null,P,{kind:"accessor",name:"roleIcon",static:!1,private:!1,access:{has:k=>"roleIcon"in k,get:k=>k.roleIcon,set:(k,Z)=>{k.roleIcon=Z}},metadata:D},S,C),ae(this,null,R,{kind:"accessor",name:"roleName",static:!1,private:!1,access:{has:k=>"roleName"in k,get:k=>k.roleName,set:(k,Z)=>{k.roleName=Z}},metadata:D},se,re),ae(this,null,ce,{kind:"accessor",name:"clanIcon",static:!1,private:!1,access:{has:k=>"clanIcon"in k,get:k=>k.clanIcon,set:(k,Z)=>{k.clanIcon=Z}},metadata:D},de,me),ae(this,null,fe,{kind:"accessor",name:"clanTag",static:!1,private:!1,access:{has:k=>"clanTag"in k,get:k=>k.clanTag,set:(k,Z)=>{k.clanTag=Z}},metadata:D},ve,pe),ae(this,null,ue,{kind:"accessor",name:"verified",static:!1,private:!1,access:{has:k=>"verified"in k,get:k=>k.verified,set:(k,Z)=>{k.verified=Z}},metadata:D},ge,ze),ae(this,null,_e,{kind:"accessor",name:"compactMode",static:!1,private:!1,access:{has:k=>"compactMode"in k,get:k=>k.compactMode,set:(k,Z)=>{k.compactMode=Z}},metadata:D},be,ye),ae(this,null,Me,{kind:"accessor",name:"lightTheme",static:!1,private:!1,access:{has:k=>"lightTheme"in k,get:k=>k.lightTheme,set:(k,Z)=>{k.lightTheme=Z}},metadata:D},B,T),ae(null,e={value:t},i,{kind:"class",name:t.name,metadata:D},null,s),U=t=e.value,D&&Object.defineProperty(t,Symbol.metadata,{enumerable:!0,configurable:!0,writable:!0,value:D})}static styles=G`
		:host {
			display: inline-flex;
			align-items: center;
			font-size: 16px;
			text-underline-offset: 1px;
			margin-right: 0.25rem;
		}

		:host .discord-author-username {
			color: #fff;
			font-size: 1em;
			font-weight: 500;
		}

		:host .discord-author-username:hover {
			text-decoration: underline;
			cursor: pointer;
		}

		:host([light-theme]) .discord-author-username {
			color: #23262a;
		}

		:host .discord-clan-tag {
			background-color: oklab(0.431937 0.00109309 -0.0132537 / 0.54);
			color: #fff;
			font-size: 12px;
			font-weight: 500;
			margin-left: 0.25rem;
			border-radius: 4px;
			line-height: 100%;
			text-transform: uppercase;
			display: inline-flex;
			width: max-content;
			gap: 0.25rem;
			justify-content: space-between;
			align-items: center;
			padding: 0 0.275rem;
			margin-top: 0.075em;
			height: 1.2rem;
			min-width: 45px;
			line-height: 1rem !important;
			transition: background-color 100ms ease-in-out;
			cursor: pointer;
		}

		:host .discord-clan-tag:hover {
			background-color: oklab(0.431937 0.00109309 -0.0132537 / 0.34);
		}

		:host([light-theme]) .discord-clan-tag {
			background-color: hsl(0 calc(1 * 0%) 0.8%/0.09);
			color: #000;
		}

		:host([light-theme]) .discord-clan-tag:hover {
			background-color: hsl(0 calc(1 * 0%) 0.8%/0.03);
		}

		:host([compact-mode]) .discord-clan-tag {
			margin-left: 0rem;
		}

		:host .discord-clan-tag span,
		:host .discord-clan-tag svg,
		:host .discord-clan-tag img {
			user-select: none;
			-webkit-user-select: none;
		}

		:host .discord-application-tag {
			background-color: #5865f2;
			color: #fff;
			font-size: 0.625em;
			border-radius: 3px;
			line-height: 100%;
			text-transform: uppercase;

			/* Use flex layout to ensure both verified icon and "BOT" text are aligned to center */
			display: inline-flex;
			align-items: center;

			/* Styling taken through Inspect Element on Discord client for Windows */
			height: 0.9375rem;
			padding: 0 0.275rem;
			margin-top: 0.075em;
			border-radius: 0.1875rem;
		}

		:host .discord-official-application {
			background-color: #5865f2;
			color: #fff;
			font-size: 0.625em;
			margin-left: 4px;
			border-radius: 3px;
			line-height: 100%;
			text-transform: uppercase;

			/* Use flex layout to ensure both verified icon and "BOT" text are aligned to center */
			display: flex;
			align-items: center;

			/* Styling taken through Inspect Element on Discord client for Windows */
			height: 0.9375rem;
			padding: 0 0.275rem;
			margin-top: 0.075em;
			border-radius: 0.1875rem;
		}

		:host([compact-mode]) .discord-official-application {
			margin-right: 5px;
			margin-left: 0px !important;
		}

		:host .discord-application-tag.discord-application-tag-op {
			background-color: #c9cdfb;
			color: #4752c4;
			border-radius: 0.4rem;
		}

		:host .discord-author-role-icon {
			margin-left: 0.25rem;
			vertical-align: top;
			height: calc(1rem + 4px);
			width: calc(1rem + 4px);
		}

		:host([compact-mode]) .discord-author-username {
			margin-right: 0.25rem;
		}

		:host([compact-mode]) .discord-application-tag {
			padding-left: 10px;
			padding-right: 4px;
			margin-right: 0.25rem;
		}
	`;#e=J(this,r,void 0);get author(){return this.#e}set author(D){this.#e=D}#t=(J(this,c),J(this,v,!1));get bot(){return this.#t}set bot(D){this.#t=D}#i=(J(this,n),J(this,M,!1));get server(){return this.#i}set server(D){this.#i=D}#s=(J(this,_),J(this,f,!1));get officialApp(){return this.#s}set officialApp(D){this.#s=D}#a=(J(this,d),J(this,j,!1));get op(){return this.#a}set op(D){this.#a=D}#r=(J(this,E),J(this,$,void 0));get roleColor(){return this.#r}set roleColor(D){this.#r=D}#o=(J(this,y),J(this,S,void 0));get roleIcon(){return this.#o}set roleIcon(D){this.#o=D}#h=(J(this,C),J(this,se,void 0));get roleName(){return this.#h}set roleName(D){this.#h=D}#l=(J(this,re),J(this,de,void 0));get clanIcon(){return this.#l}set clanIcon(D){this.#l=D}#n=(J(this,me),J(this,ve,void 0));get clanTag(){return this.#n}set clanTag(D){this.#n=D}#c=(J(this,pe),J(this,ge,!1));get verified(){return this.#c}set verified(D){this.#c=D}#d=(J(this,ze),J(this,be,!1));get compactMode(){return this.#d}set compactMode(D){this.#d=D}#m=(J(this,ye),J(this,B,!1));get lightTheme(){return this.#m}set lightTheme(D){this.#m=D}render(){let D=zi(this.clanIcon),k=this.clanTag?.slice(0,4);return l`${O(this.compactMode,()=>null,()=>l`<span class="discord-author-username" style="${qe({color:this.roleColor??void 0})}">${this.author}</span>`)}
		${O(this.roleIcon&&!this.compactMode,()=>l`<img
					class="discord-author-role-icon"
					src=${W(this.roleIcon)}
					height="20"
					width="20"
					alt=${W(this.roleName)}
					draggable="false"
				/>`)}
		${O(this.bot&&!this.server&&!this.officialApp,()=>l`<discord-verified-author-tag .verified=${this.verified}></discord-verified-author-tag>`)}
		${O(this.server&&!this.bot&&!this.officialApp,()=>l`<span class="discord-application-tag">Server</span>`)}
		${O(this.officialApp&&!this.server&&!this.bot,()=>l`<span class="discord-official-application">${Se()}OFFICIAL</span>`)}
		${O(this.op,()=>l`<span class="discord-application-tag discord-application-tag-op">OP</span>`)}
		${O(this.compactMode,()=>l`<span class="discord-author-username" style="${qe({color:this.roleColor??void 0})}">${this.author}</span>`)}
		${O(this.clanIcon&&this.clanTag&&this.clanTag?.length>0,()=>l`
				<span class="discord-clan-tag">
					${D==="string"?l`<img srcset=${W(D)} alt=${W(k)} width="12" height="12" draggable="false" />`:D}
					<span>${k}</span>
				</span>
			`)} `}constructor(){super(...arguments),J(this,T)}static{J(t,s)}};return U=t})();var $e=Re(class extends je{constructor(i){if(super(i),i.type!==qt.ATTRIBUTE||i.name!=="class"||i.strings?.length>2)throw Error("`classMap()` can only be used in the `class` attribute and must be the only part in the attribute.")}render(i){return" "+Object.keys(i).filter(e=>i[e]).join(" ")+" "}update(i,[e]){if(this.st===void 0){this.st=new Set,i.strings!==void 0&&(this.nt=new Set(i.strings.join(" ").split(/\s/).filter(t=>t!=="")));for(let t in e)e[t]&&!this.nt?.has(t)&&this.st.add(t);return this.render(e)}let s=i.element.classList;for(let t of this.st)t in e||(s.remove(t),this.st.delete(t));for(let t in e){let a=!!e[t];a===this.st.has(t)||this.nt?.has(t)||(a?(s.add(t),this.st.add(t)):(s.remove(t),this.st.delete(t)))}return ne}});var Xa=w`
	<path
		fill="currentColor"
		d="M10 5V3H5.375C4.06519 3 3 4.06519 3 5.375V18.625C3 19.936 4.06519 21 5.375 21H18.625C19.936 21 21 19.936 21 18.625V14H19V19H5V5H10Z"
	/>
	<path fill="currentColor" d="M21 2.99902H14V4.99902H17.586L9.29297 13.292L10.707 14.706L19 6.41302V9.99902H21V2.99902Z"
	/>
`;function Oi(i={}){return l`<svg ${H(i)} class="discord-button-launch" aria-hidden="false" width="16" height="16" viewBox="0 0 24 24">
		${Xa}
	</svg>`}var Ze=function(i,e,s,t,a,h){function r(p){if(p!==void 0&&typeof p!="function")throw new TypeError("Function expected");return p}for(var c=t.kind,u=c==="getter"?"get":c==="setter"?"set":"value",v=!e&&i?t.static?i:i.prototype:null,n=e||(v?Object.getOwnPropertyDescriptor(v,t.name):{}),o,M=!1,_=s.length-1;_>=0;_--){var z={};for(var f in t)z[f]=f==="access"?{}:t[f];for(var f in t.access)z.access[f]=t.access[f];z.addInitializer=function(p){if(M)throw new TypeError("Cannot add initializers after decoration has completed");h.push(r(p||null))};var d=(0,s[_])(c==="accessor"?{get:n.get,set:n.set}:n[u],z);if(c==="accessor"){if(d===void 0)continue;if(d===null||typeof d!="object")throw new TypeError("Object expected");(o=r(d.get))&&(n.get=o),(o=r(d.set))&&(n.set=o),(o=r(d.init))&&a.unshift(o)}else(o=r(d))&&(c==="field"?a.unshift(o):n[u]=o)}v&&Object.defineProperty(v,t.name,n),M=!0},oe=function(i,e,s){for(var t=arguments.length>2,a=0;a<e.length;a++)s=t?e[a].call(i,s):e[a].call(i);return t?s:void 0},Us=(()=>{let i=[K("discord-button")],e,s=[],t,a=q,h,r=[],c=[],u,v=[],n=[],o,M=[],_=[],z,f=[],d=[],p,j=[],E=[],N,$=[],y=[];var P=class extends a{static{t=this}static{let S=typeof Symbol=="function"&&Symbol.metadata?Object.create(a[Symbol.metadata]??null):void 0;h=[g({reflect:!0,attribute:"emoji"})],u=[g({reflect:!0,attribute:"emoji-name"})],o=[g({reflect:!0,attribute:"url"})],z=[g({type:Boolean,reflect:!0,attribute:"disabled"})],p=[g({reflect:!0,attribute:"type"})],N=[g({reflect:!0,attribute:"modal-id"})],Ze(this,null,h,{kind:"accessor",name:"emoji",static:!1,private:!1,access:{has:C=>"emoji"in C,get:C=>C.emoji,set:(C,R)=>{C.emoji=R}},metadata:S},r,c),Ze(this,null,u,{kind:"accessor",name:"emojiName",static:!1,private:!1,access:{has:C=>"emojiName"in C,get:C=>C.emojiName,set:(C,R)=>{C.emojiName=R}},metadata:S},v,n),Ze(this,null,o,{kind:"accessor",name:"url",static:!1,private:!1,access:{has:C=>"url"in C,get:C=>C.url,set:(C,R)=>{C.url=R}},metadata:S},M,_),Ze(this,null,z,{kind:"accessor",name:"disabled",static:!1,private:!1,access:{has:C=>"disabled"in C,get:C=>C.disabled,set:(C,R)=>{C.disabled=R}},metadata:S},f,d),Ze(this,null,p,{kind:"accessor",name:"type",static:!1,private:!1,access:{has:C=>"type"in C,get:C=>C.type,set:(C,R)=>{C.type=R}},metadata:S},j,E),Ze(this,null,N,{kind:"accessor",name:"modalId",static:!1,private:!1,access:{has:C=>"modalId"in C,get:C=>C.modalId,set:(C,R)=>{C.modalId=R}},metadata:S},$,y),Ze(null,e={value:t},i,{kind:"class",name:t.name,metadata:S},null,s),P=t=e.value,S&&Object.defineProperty(t,Symbol.metadata,{enumerable:!0,configurable:!0,writable:!0,value:S})}static styles=G`
		:host > *:first-child {
			display: flex;
			justify-content: center;
			align-items: center;
			cursor: pointer;
			margin: 4px 8px 4px 0;
			padding: 2px 16px;
			width: auto;
			height: 32px;
			min-width: 60px;
			min-height: 32px;
			-webkit-transition:
				background-color 0.17s ease,
				color 0.17s ease;
			transition:
				background-color 0.17s ease,
				color 0.17s ease;
			border-radius: 3px;
			font-size: 14px;
			font-weight: 500;
			line-height: 16px;
			text-decoration: none !important;
			/* CSS Reset to unset button styling */
			border-width: unset;
			border-style: unset;
			border-color: unset;
			border-image: unset;
			box-sizing: unset;
			font-family: 'gg sans', 'Noto Sans', Whitney, 'Helvetica Neue', Helvetica, Roboto, Arial, sans-serif;
		}

		.success {
			color: #fff;
			background-color: #3ba55d;
		}

		.success.hoverable:hover {
			background-color: #2d7d46;
		}

		.destructive {
			color: #fff;
			background-color: #ed4245;
		}

		.destructive.hoverable:hover {
			background-color: #c03537;
		}

		.primary {
			color: #fff;
			background-color: #5865f2;
		}

		.primary.hoverable:hover {
			background-color: #4752c4;
		}

		.secondary {
			color: #fff;
			background-color: #4f545c;
		}

		.secondary.hoverable:hover {
			background-color: #5d6269;
		}

		.disabled {
			cursor: not-allowed !important;
			opacity: 0.5;
		}

		.launch {
			margin-left: 8px;
		}

		.emoji {
			margin-right: 4px;
			object-fit: contain;
			width: 1.375em;
			height: 1.375em;
			vertical-align: bottom;
		}
	`;#e=oe(this,r,void 0);get emoji(){return this.#e}set emoji(S){this.#e=S}#t=(oe(this,c),oe(this,v,"emoji"));get emojiName(){return this.#t}set emojiName(S){this.#t=S}#i=(oe(this,n),oe(this,M,void 0));get url(){return this.#i}set url(S){this.#i=S}#s=(oe(this,_),oe(this,f,!1));get disabled(){return this.#s}set disabled(S){this.#s=S}#a=(oe(this,d),oe(this,j,"secondary"));get type(){return this.#a}set type(S){this.#a=S}#r=(oe(this,E),oe(this,$,void 0));get modalId(){return this.#r}set modalId(S){this.#r=S}validButtonTypes=(oe(this,y),new Set(["primary","secondary","success","destructive"]));checkType(){if(this.type){if(typeof this.type!="string")throw new TypeError("DiscordButton `type` prop must be a string.");if(!this.validButtonTypes.has(this.type))throw new RangeError("DiscordButton `type` prop must be one of: 'primary', 'secondary', 'success', 'destructive'")}}checkParentElement(){if(this.parentElement?.tagName.toLowerCase()!=="discord-action-row")throw new ui("All <discord-button> components must be direct children of <discord-action-row>.")}handleButtonClick(){if(this.modalId){let S=this.parentElement?.parentElement?.parentElement?.parentElement;if(S?.tagName?.toLowerCase()==="discord-messages"){let C=S?.querySelector("discord-modal"),R=C?.shadowRoot?.querySelector(`dialog#${this.modalId}`),se=R?.querySelector("div.discord-modal-box");if(R instanceof HTMLDialogElement&&se instanceof HTMLDivElement&&(R.showModal(),se.style.display="flex",C)){let re=globalThis.getComputedStyle(globalThis.document.body).overflow;C.originalBodyOverflow=re,globalThis.document.body.style.overflow="hidden"}}}}render(){this.checkType(),this.checkParentElement();let S=this.url&&!this.disabled,C=l`
			${O(this.emoji,()=>l`<img src=${this.emoji} alt=${this.emojiName} draggable="true" class="emoji" />`)}
			<span>
				<slot></slot>
			</span>
			${O(this.url,()=>Oi())}
		`;return S?l`<a class="secondary" href=${this.url} target="_blank" rel="noopener noreferrer">${C}</a>`:l`<button
			class=${$e({[this.type]:!0,disabled:this.disabled,hoverable:!this.disabled})}
			@click=${this.handleButtonClick}
		>
			${C}
		</button>`}static{oe(t,s)}};return P=t})();var Ye=function(i,e,s,t,a,h){function r(p){if(p!==void 0&&typeof p!="function")throw new TypeError("Function expected");return p}for(var c=t.kind,u=c==="getter"?"get":c==="setter"?"set":"value",v=!e&&i?t.static?i:i.prototype:null,n=e||(v?Object.getOwnPropertyDescriptor(v,t.name):{}),o,M=!1,_=s.length-1;_>=0;_--){var z={};for(var f in t)z[f]=f==="access"?{}:t[f];for(var f in t.access)z.access[f]=t.access[f];z.addInitializer=function(p){if(M)throw new TypeError("Cannot add initializers after decoration has completed");h.push(r(p||null))};var d=(0,s[_])(c==="accessor"?{get:n.get,set:n.set}:n[u],z);if(c==="accessor"){if(d===void 0)continue;if(d===null||typeof d!="object")throw new TypeError("Object expected");(o=r(d.get))&&(n.get=o),(o=r(d.set))&&(n.set=o),(o=r(d.init))&&a.unshift(o)}else(o=r(d))&&(c==="field"?a.unshift(o):n[u]=o)}v&&Object.defineProperty(v,t.name,n),M=!0},we=function(i,e,s){for(var t=arguments.length>2,a=0;a<e.length;a++)s=t?e[a].call(i,s):e[a].call(i);return t?s:void 0},gl=(()=>{let i=[K("discord-custom-emoji")],e,s=[],t,a=q,h,r=[],c=[],u,v=[],n=[],o,M=[],_=[],z,f=[],d=[],p,j=[],E=[];var N=class extends a{static{t=this}static{let $=typeof Symbol=="function"&&Symbol.metadata?Object.create(a[Symbol.metadata]??null):void 0;h=[g()],u=[g()],o=[g({attribute:!1})],z=[g({type:Boolean,attribute:"embed-emoji"})],p=[g({type:Boolean,attribute:"jumbo"})],Ye(this,null,h,{kind:"accessor",name:"name",static:!1,private:!1,access:{has:y=>"name"in y,get:y=>y.name,set:(y,P)=>{y.name=P}},metadata:$},r,c),Ye(this,null,u,{kind:"accessor",name:"url",static:!1,private:!1,access:{has:y=>"url"in y,get:y=>y.url,set:(y,P)=>{y.url=P}},metadata:$},v,n),Ye(this,null,o,{kind:"accessor",name:"customEmojisMap",static:!1,private:!1,access:{has:y=>"customEmojisMap"in y,get:y=>y.customEmojisMap,set:(y,P)=>{y.customEmojisMap=P}},metadata:$},M,_),Ye(this,null,z,{kind:"accessor",name:"embedEmoji",static:!1,private:!1,access:{has:y=>"embedEmoji"in y,get:y=>y.embedEmoji,set:(y,P)=>{y.embedEmoji=P}},metadata:$},f,d),Ye(this,null,p,{kind:"accessor",name:"jumbo",static:!1,private:!1,access:{has:y=>"jumbo"in y,get:y=>y.jumbo,set:(y,P)=>{y.jumbo=P}},metadata:$},j,E),Ye(null,e={value:t},i,{kind:"class",name:t.name,metadata:$},null,s),N=t=e.value,$&&Object.defineProperty(t,Symbol.metadata,{enumerable:!0,configurable:!0,writable:!0,value:$})}static styles=G`
		.discord-custom-emoji {
			display: inline-block;
			cursor: pointer;
		}

		.discord-custom-emoji .discord-custom-emoji-image {
			object-fit: contain;
			width: 1.375rem;
			height: 1.375rem;
			vertical-align: bottom;
		}

		.discord-custom-emoji .discord-custom-jumbo-emoji-image {
			width: 3rem;
			height: 3rem;
			min-height: 3rem;
		}

		.discord-embed-custom-emoji {
			display: inline-block;
		}

		.discord-embed-custom-emoji .discord-embed-custom-emoji-image {
			width: 18px;
			height: 18px;
			vertical-align: bottom;
		}
	`;#e=we(this,r,void 0);get name(){return this.#e}set name($){this.#e=$}#t=(we(this,c),we(this,v,void 0));get url(){return this.#t}set url($){this.#t=$}#i=(we(this,n),we(this,M,{}));get customEmojisMap(){return this.#i}set customEmojisMap($){this.#i=$}#s=(we(this,_),we(this,f,void 0));get embedEmoji(){return this.#s}set embedEmoji($){this.#s=$}#a=(we(this,d),we(this,j,void 0));get jumbo(){return this.#a}set jumbo($){this.#a=$}willUpdate(){if(!this.url&&this.name){let $=gi(this.name)??this.customEmojisMap[this.name];$&&(this.url??=$.url??"",this.embedEmoji??=$.embedEmoji??!1)}}render(){let $=`:${this.name}:`;return l`<span
			class=${$e({"discord-embed-custom-emoji":this.embedEmoji,"discord-custom-emoji":!this.embedEmoji})}
			><img
				aria-label=${$}
				src=${W(this.url)}
				alt=${$}
				draggable="false"
				class=${$e({"discord-embed-custom-emoji-image":this.embedEmoji,"discord-custom-emoji-image":!this.embedEmoji,"discord-custom-jumbo-emoji-image":this.jumbo})}
		/></span> `}constructor(){super(...arguments),we(this,E)}static{we(t,s)}};return N=t})();var he=function(i,e,s,t,a,h){function r(p){if(p!==void 0&&typeof p!="function")throw new TypeError("Function expected");return p}for(var c=t.kind,u=c==="getter"?"get":c==="setter"?"set":"value",v=!e&&i?t.static?i:i.prototype:null,n=e||(v?Object.getOwnPropertyDescriptor(v,t.name):{}),o,M=!1,_=s.length-1;_>=0;_--){var z={};for(var f in t)z[f]=f==="access"?{}:t[f];for(var f in t.access)z.access[f]=t.access[f];z.addInitializer=function(p){if(M)throw new TypeError("Cannot add initializers after decoration has completed");h.push(r(p||null))};var d=(0,s[_])(c==="accessor"?{get:n.get,set:n.set}:n[u],z);if(c==="accessor"){if(d===void 0)continue;if(d===null||typeof d!="object")throw new TypeError("Object expected");(o=r(d.get))&&(n.get=o),(o=r(d.set))&&(n.set=o),(o=r(d.init))&&a.unshift(o)}else(o=r(d))&&(c==="field"?a.unshift(o):n[u]=o)}v&&Object.defineProperty(v,t.name,n),M=!0},Q=function(i,e,s){for(var t=arguments.length>2,a=0;a<e.length;a++)s=t?e[a].call(i,s):e[a].call(i);return t?s:void 0},Fs=(()=>{let i=[K("discord-embed")],e,s=[],t,a=q,h,r=[],c=[],u,v=[],n=[],o,M=[],_=[],z,f=[],d=[],p,j=[],E=[],N,$=[],y=[],P,S=[],C=[],R,se=[],re=[],ce,de=[],me=[],fe,ve=[],pe=[],ue,ge=[],ze=[],_e,be=[],ye=[];var Me=class extends a{static{t=this}static{let B=typeof Symbol=="function"&&Symbol.metadata?Object.create(a[Symbol.metadata]??null):void 0;h=[g()],u=[g({attribute:"author-name"})],o=[g({attribute:"author-image"})],z=[g({attribute:"author-url"})],p=[g({attribute:"embed-title"})],N=[g({attribute:!1})],P=[g()],R=[g()],ce=[g()],fe=[g()],ue=[g()],_e=[Y({context:ie,subscribe:!0}),g({type:Boolean,reflect:!0,attribute:"light-theme"})],he(this,null,h,{kind:"accessor",name:"color",static:!1,private:!1,access:{has:T=>"color"in T,get:T=>T.color,set:(T,U)=>{T.color=U}},metadata:B},r,c),he(this,null,u,{kind:"accessor",name:"authorName",static:!1,private:!1,access:{has:T=>"authorName"in T,get:T=>T.authorName,set:(T,U)=>{T.authorName=U}},metadata:B},v,n),he(this,null,o,{kind:"accessor",name:"authorImage",static:!1,private:!1,access:{has:T=>"authorImage"in T,get:T=>T.authorImage,set:(T,U)=>{T.authorImage=U}},metadata:B},M,_),he(this,null,z,{kind:"accessor",name:"authorUrl",static:!1,private:!1,access:{has:T=>"authorUrl"in T,get:T=>T.authorUrl,set:(T,U)=>{T.authorUrl=U}},metadata:B},f,d),he(this,null,p,{kind:"accessor",name:"embedTitle",static:!1,private:!1,access:{has:T=>"embedTitle"in T,get:T=>T.embedTitle,set:(T,U)=>{T.embedTitle=U}},metadata:B},j,E),he(this,null,N,{kind:"accessor",name:"embedEmojisMap",static:!1,private:!1,access:{has:T=>"embedEmojisMap"in T,get:T=>T.embedEmojisMap,set:(T,U)=>{T.embedEmojisMap=U}},metadata:B},$,y),he(this,null,P,{kind:"accessor",name:"url",static:!1,private:!1,access:{has:T=>"url"in T,get:T=>T.url,set:(T,U)=>{T.url=U}},metadata:B},S,C),he(this,null,R,{kind:"accessor",name:"thumbnail",static:!1,private:!1,access:{has:T=>"thumbnail"in T,get:T=>T.thumbnail,set:(T,U)=>{T.thumbnail=U}},metadata:B},se,re),he(this,null,ce,{kind:"accessor",name:"image",static:!1,private:!1,access:{has:T=>"image"in T,get:T=>T.image,set:(T,U)=>{T.image=U}},metadata:B},de,me),he(this,null,fe,{kind:"accessor",name:"video",static:!1,private:!1,access:{has:T=>"video"in T,get:T=>T.video,set:(T,U)=>{T.video=U}},metadata:B},ve,pe),he(this,null,ue,{kind:"accessor",name:"provider",static:!1,private:!1,access:{has:T=>"provider"in T,get:T=>T.provider,set:(T,U)=>{T.provider=U}},metadata:B},ge,ze),he(this,null,_e,{kind:"accessor",name:"lightTheme",static:!1,private:!1,access:{has:T=>"lightTheme"in T,get:T=>T.lightTheme,set:(T,U)=>{T.lightTheme=U}},metadata:B},be,ye),he(null,e={value:t},i,{kind:"class",name:t.name,metadata:B},null,s),Me=t=e.value,B&&Object.defineProperty(t,Symbol.metadata,{enumerable:!0,configurable:!0,writable:!0,value:B})}static styles=G`
		:host {
			color: #dcddde;
			display: flex;
			font-size: 13px;
			line-height: 150%;
			margin-bottom: 8px;
			margin-top: 8px;
		}

		:host([light-theme]) {
			color: #2e3338;
		}

		:host .discord-left-border {
			background-color: #202225;
			border-radius: 4px 0 0 4px;
			flex-shrink: 0;
			width: 4px;
		}

		:host([light-theme]) .discord-left-border {
			background-color: #e3e5e8;
		}

		:host .discord-embed-root {
			display: grid;
			grid-auto-flow: row;
			grid-row-gap: 0.25rem;
			min-height: 0;
			min-width: 0;
			text-indent: 0;
		}

		:host .discord-embed-wrapper {
			background-color: #2f3136;
			max-width: 520px;
			border: 1px solid rgba(46, 48, 54, 0.6);
			border-radius: 0 4px 4px 0;
			justify-self: start;
			align-self: start;
			display: grid;
			box-sizing: border-box;
		}

		:host([light-theme]) .discord-embed-wrapper {
			background-color: rgb(242, 243, 245);
			border-color: rgba(205, 205, 205, 0.3);
		}

		:host .discord-embed-wrapper .discord-embed-grid {
			display: inline-grid;
			grid-template-columns: auto -webkit-min-content;
			grid-template-columns: auto min-content;
			grid-template-columns: auto;
			grid-template-rows: auto;
			padding: 0.5rem 1rem 1rem 0.75rem;
		}

		:host .discord-embed-thumbnail {
			border-radius: 4px;
			flex-shrink: 0;
			grid-column: 2/2;
			grid-row: 1/8;
			justify-self: end;
			margin-left: 16px;
			margin-top: 8px;
			max-height: 80px;
			max-width: 80px;
			object-fit: contain;
			object-position: top center;
		}

		:host .discord-embed-author {
			-webkit-box-align: center;
			align-items: center;
			color: #fff;
			font-size: 14px;
			display: flex;
			font-weight: 600;
			grid-column: 1 / 1;
			margin-top: 8px;
			min-width: 0;
		}

		:host([light-theme]) .discord-embed-author {
			color: #060607;
		}

		:host .discord-embed-author a {
			color: #fff;
			font-weight: 600;
			text-decoration: none;
		}

		:host .discord-embed-author a:hover {
			text-decoration: underline;
		}

		:host([light-theme]) .discord-embed-author a {
			color: #060607;
		}

		:host .discord-embed-author .discord-author-image {
			border-radius: 50%;
			height: 24px;
			margin-right: 8px;
			width: 24px;
		}

		:host .discord-embed-author-block,
		:host .discord-embed-author-block > span {
			max-width: 95%;
		}

		:host .discord-embed-provider {
			font-size: 0.75rem;
			line-height: 1rem;
			font-weight: 400;
			grid-column: 1/1;
			margin-top: 8px;
			unicode-bidi: plaintext;
			text-align: left;
		}

		:host([light-theme]) .discord-embed-provider {
			color: #4f545c;
		}

		:host .discord-embed-title {
			-webkit-box-align: center;
			align-items: center;
			color: #fff;
			display: inline-block;
			font-size: 1rem;
			font-weight: 600;
			grid-column: 1 / 1;
			margin-top: 8px;
			min-width: 0;
		}

		:host([light-theme]) .discord-embed-title {
			color: #060607;
		}

		:host .discord-embed-title a {
			color: #00aff4;
			font-weight: 600;
			text-decoration: none;
		}

		:host .discord-embed-title a:hover {
			text-decoration: underline;
		}

		:host .discord-embed-image {
			border-radius: 4px;
			max-width: 300px;
			max-height: 300px;
		}

		:host .discord-embed-media {
			border-radius: 4px;
			contain: paint;
			display: block;
			grid-column: 1/1;
			margin-top: 16px;
		}

		:host .discord-embed-media.discord-embed-media-video {
			height: 225px;
		}

		:host .discord-embed.media .discord-embed-image {
			overflow: hidden;
			position: relative;
			user-select: text;
		}

		:host .discord-embed-media .discord-embed-video {
			-webkit-box-align: center;
			-webkit-box-pack: center;
			align-items: center;
			border-radius: 0;
			cursor: pointer;
			display: flex;
			height: 100%;
			justify-content: center;
			max-height: 100%;
			width: 100%;

			width: 400px;
			height: 225px;
			left: 0px;
			top: 0px;
		}

		.discord-embed-custom-emoji {
			display: inline-block;
		}

		.discord-embed-custom-emoji .discord-embed-custom-emoji-image {
			width: 18px;
			height: 18px;
			vertical-align: bottom;
		}

		slot[name='footer']::slotted(*) {
			grid-column: 1/3;
			grid-row: auto/auto;
		}
	`;#e=Q(this,r,void 0);get color(){return this.#e}set color(B){this.#e=B}#t=(Q(this,c),Q(this,v,void 0));get authorName(){return this.#t}set authorName(B){this.#t=B}#i=(Q(this,n),Q(this,M,void 0));get authorImage(){return this.#i}set authorImage(B){this.#i=B}#s=(Q(this,_),Q(this,f,void 0));get authorUrl(){return this.#s}set authorUrl(B){this.#s=B}#a=(Q(this,d),Q(this,j,void 0));get embedTitle(){return this.#a}set embedTitle(B){this.#a=B}#r=(Q(this,E),Q(this,$,{}));get embedEmojisMap(){return this.#r}set embedEmojisMap(B){this.#r=B}#o=(Q(this,y),Q(this,S,void 0));get url(){return this.#o}set url(B){this.#o=B}#h=(Q(this,C),Q(this,se,void 0));get thumbnail(){return this.#h}set thumbnail(B){this.#h=B}#l=(Q(this,re),Q(this,de,void 0));get image(){return this.#l}set image(B){this.#l=B}#n=(Q(this,me),Q(this,ve,void 0));get video(){return this.#n}set video(B){this.#n=B}#c=(Q(this,pe),Q(this,ge,void 0));get provider(){return this.#c}set provider(B){this.#c=B}#d=(Q(this,ze),Q(this,be,!1));get lightTheme(){return this.#d}set lightTheme(B){this.#d=B}render(){let B=this.parseTitle(this.authorName),T=this.parseTitle(this.embedTitle);return l`<div style=${qe({"background-color":this.color})} class="discord-left-border"></div>
			<div class="discord-embed-root">
				<div class="discord-embed-wrapper">
					<div class="discord-embed-grid">
						${O(this.provider,()=>l`<div class="discord-embed-provider">${this.provider}</div>`)}
						${O(B,()=>l`<div class="discord-embed-author">
									${O(this.authorImage,()=>l`<img src=${W(this.authorImage)} alt="" class="discord-author-image" />`)}
									${O(this.authorUrl,()=>l`<a
												href=${W(this.authorUrl)}
												target="_blank"
												rel="noopener noreferrer"
												class="discord-embed-author-block"
											>
												<span class="discord-embed-author-block">${B}</span>
											</a>`,()=>l`<span class="discord-embed-author-block">${B}</span>`)}
								</div>`)}
						${O(T,()=>l`<div class="discord-embed-title">
									${this.url?l`<a href="${this.url}" target="_blank" rel="noopener noreferrer"> ${T} </a>`:l`${T}`}
								</div>`)}
						<slot name="description"></slot>
						<slot name="fields"></slot>
						${O(this.image||this.video,()=>l`<div class=${$e({"discord-embed-media":!0,"discord-embed-media-video":!!this.video})}>
									${this.renderMedia()}
								</div>`)}
						${O(this.thumbnail,()=>l`<img src=${W(this.thumbnail)} alt="" class="discord-embed-thumbnail" />`)}
						<slot name="footer"></slot>
					</div>
				</div>
			</div>`}renderMedia(){return this.video?l`
				<video
					controls
					muted
					preload="none"
					poster=${W(this.image)}
					src=${W(this.video)}
					height="225"
					width="400"
					class="discord-embed-video"
				>
					<img src=${W(this.image)} alt="Discord embed media" class="discord-embed-image" />
				</video>
			`:this.image?l`<img src=${W(this.image)} alt="Discord embed media" class="discord-embed-image" />`:null}parseTitle(B){if(!B)return null;let T=[],U="";for(let D of B.split(`
`)){for(let k of D.split(" ")){let Z=gi(k)??this.embedEmojisMap[k]??{};Z.name?T.push(l`<discord-custom-emoji name=${Z.name} url=${W(Z.url)} embed-emoji></discord-custom-emoji>`):U+=`${k} `,U===" "&&T.push(l`<br />`)}T.push(U),U=""}return T.map(D=>typeof D=="string"?l`<span>${D}</span>`:D)}constructor(){super(...arguments),Q(this,ye)}static{Q(t,s)}};return Me=t})();var Ya=function(i,e,s,t,a,h){function r(p){if(p!==void 0&&typeof p!="function")throw new TypeError("Function expected");return p}for(var c=t.kind,u=c==="getter"?"get":c==="setter"?"set":"value",v=!e&&i?t.static?i:i.prototype:null,n=e||(v?Object.getOwnPropertyDescriptor(v,t.name):{}),o,M=!1,_=s.length-1;_>=0;_--){var z={};for(var f in t)z[f]=f==="access"?{}:t[f];for(var f in t.access)z.access[f]=t.access[f];z.addInitializer=function(p){if(M)throw new TypeError("Cannot add initializers after decoration has completed");h.push(r(p||null))};var d=(0,s[_])(c==="accessor"?{get:n.get,set:n.set}:n[u],z);if(c==="accessor"){if(d===void 0)continue;if(d===null||typeof d!="object")throw new TypeError("Object expected");(o=r(d.get))&&(n.get=o),(o=r(d.set))&&(n.set=o),(o=r(d.init))&&a.unshift(o)}else(o=r(d))&&(c==="field"?a.unshift(o):n[u]=o)}v&&Object.defineProperty(v,t.name,n),M=!0},er=function(i,e,s){for(var t=arguments.length>2,a=0;a<e.length;a++)s=t?e[a].call(i,s):e[a].call(i);return t?s:void 0},qs=(()=>{let i=[K("discord-embed-description")],e,s=[],t,a=q;var h=class extends a{static{t=this}static{let r=typeof Symbol=="function"&&Symbol.metadata?Object.create(a[Symbol.metadata]??null):void 0;Ya(null,e={value:t},i,{kind:"class",name:t.name,metadata:r},null,s),h=t=e.value,r&&Object.defineProperty(t,Symbol.metadata,{enumerable:!0,configurable:!0,writable:!0,value:r})}static styles=G`
		:host {
			font-size: 0.875rem;
			font-weight: 400;
			grid-column: 1/1;
			line-height: 1.125rem;
			margin-top: 8px;
			min-width: 0;
		}
	`;render(){return l`<slot></slot>`}static{er(t,s)}};return h=t})();var Et=function(i,e,s,t,a,h){function r(p){if(p!==void 0&&typeof p!="function")throw new TypeError("Function expected");return p}for(var c=t.kind,u=c==="getter"?"get":c==="setter"?"set":"value",v=!e&&i?t.static?i:i.prototype:null,n=e||(v?Object.getOwnPropertyDescriptor(v,t.name):{}),o,M=!1,_=s.length-1;_>=0;_--){var z={};for(var f in t)z[f]=f==="access"?{}:t[f];for(var f in t.access)z.access[f]=t.access[f];z.addInitializer=function(p){if(M)throw new TypeError("Cannot add initializers after decoration has completed");h.push(r(p||null))};var d=(0,s[_])(c==="accessor"?{get:n.get,set:n.set}:n[u],z);if(c==="accessor"){if(d===void 0)continue;if(d===null||typeof d!="object")throw new TypeError("Object expected");(o=r(d.get))&&(n.get=o),(o=r(d.set))&&(n.set=o),(o=r(d.init))&&a.unshift(o)}else(o=r(d))&&(c==="field"?a.unshift(o):n[u]=o)}v&&Object.defineProperty(v,t.name,n),M=!0},Ee=function(i,e,s){for(var t=arguments.length>2,a=0;a<e.length;a++)s=t?e[a].call(i,s):e[a].call(i);return t?s:void 0},Zs=(()=>{let i=[K("discord-embed-footer")],e,s=[],t,a=q,h,r=[],c=[],u,v=[],n=[],o,M=[],_=[],z,f=[],d=[];var p=class extends a{static{t=this}static{let j=typeof Symbol=="function"&&Symbol.metadata?Object.create(a[Symbol.metadata]??null):void 0;h=[g({attribute:"footer-image"})],u=[g({attribute:"footer-image-alt"})],o=[g({type:String,reflect:!0,converter:E=>De(E),attribute:!0})],z=[Y({context:ie,subscribe:!0}),g({type:Boolean,reflect:!0,attribute:"light-theme"})],Et(this,null,h,{kind:"accessor",name:"footerImage",static:!1,private:!1,access:{has:E=>"footerImage"in E,get:E=>E.footerImage,set:(E,N)=>{E.footerImage=N}},metadata:j},r,c),Et(this,null,u,{kind:"accessor",name:"footerImageAlt",static:!1,private:!1,access:{has:E=>"footerImageAlt"in E,get:E=>E.footerImageAlt,set:(E,N)=>{E.footerImageAlt=N}},metadata:j},v,n),Et(this,null,o,{kind:"accessor",name:"timestamp",static:!1,private:!1,access:{has:E=>"timestamp"in E,get:E=>E.timestamp,set:(E,N)=>{E.timestamp=N}},metadata:j},M,_),Et(this,null,z,{kind:"accessor",name:"lightTheme",static:!1,private:!1,access:{has:E=>"lightTheme"in E,get:E=>E.lightTheme,set:(E,N)=>{E.lightTheme=N}},metadata:j},f,d),Et(null,e={value:t},i,{kind:"class",name:t.name,metadata:j},null,s),p=t=e.value,j&&Object.defineProperty(t,Symbol.metadata,{enumerable:!0,configurable:!0,writable:!0,value:j})}static styles=G`
		:host {
			-webkit-box-align: center;
			align-items: center;
			display: flex;
			font-size: 12px;
			line-height: 16px;
			font-weight: 500;
			margin-top: 8px;
		}

		:host([light-theme]) {
			color: #747f8d;
		}

		:host .discord-footer-image {
			border-radius: 50%;
			flex-shrink: 0;
			height: 20px;
			margin-right: 8px;
			width: 20px;
		}

		:host .discord-footer-separator {
			color: #dcddde;
			font-weight: 500;
			display: inline-block;
			margin: 0 4px;
		}

		:host([light-theme]) .discord-footer-separator {
			color: #5c5e66;
		}
	`;#e=Ee(this,r,void 0);get footerImage(){return this.#e}set footerImage(j){this.#e=j}#t=(Ee(this,c),Ee(this,v,void 0));get footerImageAlt(){return this.#t}set footerImageAlt(j){this.#t=j}#i=(Ee(this,n),Ee(this,M,void 0));get timestamp(){return this.#i}set timestamp(j){this.#i=j}#s=(Ee(this,_),Ee(this,f,!1));get lightTheme(){return this.#s}set lightTheme(j){this.#s=j}updateTimestamp(j){j&&!Number.isNaN(new Date(j).getTime())&&(this.timestamp=De(j))}render(){return this.updateTimestamp(this.timestamp),l`${O(this.footerImage,()=>l`<img src=${W(this.footerImage)} alt=${W(this.footerImageAlt)} class="discord-footer-image" />`)}
			<slot></slot>
			${O(this.timestamp,()=>l`<span class="discord-footer-separator">&bull;</span>`)}
			${O(this.timestamp,()=>` ${this.timestamp}`,()=>null)}`}constructor(){super(...arguments),Ee(this,d)}static{Ee(t,s)}};return p=t})();var _i=(i,e,s)=>{for(let t of e)if(t[0]===i)return(0,t[1])();return s?.()};function tr(i){return i.startsWith("#")?i.slice(1):i}function ir(i){let e=i.length===3||i.length===4,s=e?`${i.slice(0,1)}${i.slice(0,1)}`:i.slice(0,2),t=e?`${i.slice(1,2)}${i.slice(1,2)}`:i.slice(2,4),a=e?`${i.slice(2,3)}${i.slice(2,3)}`:i.slice(4,6),h=(e?`${i.slice(3,4)}${i.slice(3,4)}`:i.slice(6,8))||"ff";return{r:s,g:t,b:a,a:h}}function bi(i){return Number.parseInt(i,16)}function sr({r:i,g:e,b:s,a:t}){return{r:bi(i),g:bi(e),b:bi(s),a:Number((bi(t)/255).toFixed(2))}}function ar(i){return typeof i=="number"||typeof i=="string"&&Number.isFinite(Number(i))}function rr(i,e){let{r:s,g:t,b:a,a:h}=i,r=ar(e)?e:h;return`rgba(${s}, ${t}, ${a}, ${r})`}function yi(i,e){let s=tr(i),t=ir(s),a=sr(t);return rr(a,e)}var or=w`
	<path
		fill-rule="evenodd"
		clip-rule="evenodd"
		fill="currentColor"
		d="M18.5 23c.88 0 1.7-.25 2.4-.69l1.4 1.4a1 1 0 0 0 1.4-1.42l-1.39-1.4A4.5 4.5 0 1 0 18.5 23Zm0-2a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z"
	/>
	<path
		fill="currentColor"
		d="M3 3a1 1 0 0 0 0 2h18a1 1 0 1 0 0-2H3ZM2 8a1 1 0 0 1 1-1h18a1 1 0 1 1 0 2H3a1 1 0 0 1-1-1ZM3 11a1 1 0 1 0 0 2h11a1 1 0 1 0 0-2H3ZM2 16a1 1 0 0 1 1-1h8a1 1 0 1 1 0 2H3a1 1 0 0 1-1-1ZM3 19a1 1 0 1 0 0 2h8a1 1 0 1 0 0-2H3Z"
	/>
`;function Li(i={}){return l`<svg
		${H(i)}
		class="discord-mention-icon"
		aria-label="Browse Channels"
		aria-hidden="false"
		role="img"
		width="24"
		height="24"
		viewBox="0 0 24 24"
		xmlns="http://www.w3.org/2000/svg"
	>
		${or}
	</svg>`}var hr=w`
	<path
		fill="currentColor"
		d="M21.487 5.126L12.487 0.126C12.184 -0.042 11.818 -0.042 11.515 0.126L2.51498 5.126C2.19798 5.302 2.00098 5.636 2.00098 5.999C2.00098 6.693 2.11498 22.999 12.001 22.999C21.887 22.999 22.001 6.693 22.001 5.999C22.001 5.636 21.804 5.302 21.487 5.126ZM12.001 5.999C13.382 5.999 14.501 7.118 14.501 8.499C14.501 9.88 13.382 10.999 12.001 10.999C10.62 10.999 9.50098 9.88 9.50098 8.499C9.50098 7.118 10.62 5.999 12.001 5.999ZM8.25098 16C8.25098 13.699 9.69998 12.25 12.001 12.25C14.302 12.25 15.751 13.699 15.751 16H8.25098Z"
	/>
`;function Pi(i={}){return l`<svg
		${H(i)}
		class="discord-mention-icon"
		aria-label="Customise Community"
		aria-hidden="false"
		role="img"
		width="24"
		height="24"
		viewBox="0 0 24 24"
		xmlns="http://www.w3.org/2000/svg"
	>
		${hr}
	</svg>`}var lr=w`
	<path
		d="M11 3a1 1 0 1 1 2 0v2h5.75c.16 0 .3.07.4.2l2.63 3.5a.5.5 0 0 1 0 .6l-2.63 3.5a.5.5 0 0 1-.4.2H13v5h2a2 2 0 0 1 2 2v1a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1v-1c0-1.1.9-2 2-2h2v-5H2.8a.5.5 0 0 1-.44-.72L3.9 9.22a.5.5 0 0 0 0-.44L2.36 5.72A.5.5 0 0 1 2.81 5H11V3Z"
		fill="currentColor"
	/>
`;function Ni(i={}){return l`<svg
		${H(i)}
		class="discord-mention-icon"
		aria-label="Server Guide"
		aria-hidden="false"
		role="img"
		width="24"
		height="24"
		viewBox="0 0 24 24"
		xmlns="http://www.w3.org/2000/svg"
	>
		${lr}
	</svg>`}var Vt=function(i,e,s,t,a,h){function r(p){if(p!==void 0&&typeof p!="function")throw new TypeError("Function expected");return p}for(var c=t.kind,u=c==="getter"?"get":c==="setter"?"set":"value",v=!e&&i?t.static?i:i.prototype:null,n=e||(v?Object.getOwnPropertyDescriptor(v,t.name):{}),o,M=!1,_=s.length-1;_>=0;_--){var z={};for(var f in t)z[f]=f==="access"?{}:t[f];for(var f in t.access)z.access[f]=t.access[f];z.addInitializer=function(p){if(M)throw new TypeError("Cannot add initializers after decoration has completed");h.push(r(p||null))};var d=(0,s[_])(c==="accessor"?{get:n.get,set:n.set}:n[u],z);if(c==="accessor"){if(d===void 0)continue;if(d===null||typeof d!="object")throw new TypeError("Object expected");(o=r(d.get))&&(n.get=o),(o=r(d.set))&&(n.set=o),(o=r(d.init))&&a.unshift(o)}else(o=r(d))&&(c==="field"?a.unshift(o):n[u]=o)}v&&Object.defineProperty(v,t.name,n),M=!0},Ve=function(i,e,s){for(var t=arguments.length>2,a=0;a<e.length;a++)s=t?e[a].call(i,s):e[a].call(i);return t?s:void 0},Ws=(()=>{let i=[K("discord-mention")],e,s=[],t,a=q,h,r=[],c=[],u,v=[],n=[],o,M=[],_=[],z,f=[],d=[];var p=class extends a{static{t=this}static{let j=typeof Symbol=="function"&&Symbol.metadata?Object.create(a[Symbol.metadata]??null):void 0;h=[g({type:Boolean,reflect:!0})],u=[g({reflect:!0})],o=[g({reflect:!0})],z=[Y({context:ie,subscribe:!0}),g({type:Boolean,reflect:!0,attribute:"light-theme"})],Vt(this,null,h,{kind:"accessor",name:"highlight",static:!1,private:!1,access:{has:E=>"highlight"in E,get:E=>E.highlight,set:(E,N)=>{E.highlight=N}},metadata:j},r,c),Vt(this,null,u,{kind:"accessor",name:"type",static:!1,private:!1,access:{has:E=>"type"in E,get:E=>E.type,set:(E,N)=>{E.type=N}},metadata:j},v,n),Vt(this,null,o,{kind:"accessor",name:"color",static:!1,private:!1,access:{has:E=>"color"in E,get:E=>E.color,set:(E,N)=>{E.color=N}},metadata:j},M,_),Vt(this,null,z,{kind:"accessor",name:"lightTheme",static:!1,private:!1,access:{has:E=>"lightTheme"in E,get:E=>E.lightTheme,set:(E,N)=>{E.lightTheme=N}},metadata:j},f,d),Vt(null,e={value:t},i,{kind:"class",name:t.name,metadata:j},null,s),p=t=e.value,j&&Object.defineProperty(t,Symbol.metadata,{enumerable:!0,configurable:!0,writable:!0,value:j})}static styles=G`
		:host {
			color: #e3e7f8;
			background-color: hsla(235, 85.6%, 64.7%, 0.3);
			font-weight: 500;
			padding: 0 2px;
			border-radius: 3px;
			unicode-bidi: -moz-plaintext;
			unicode-bidi: plaintext;
			-webkit-transition:
				background-color 50ms ease-out,
				color 50ms ease-out;
			transition:
				background-color 50ms ease-out,
				color 50ms ease-out;
			cursor: pointer;
		}

		:host([type='role']) {
			background-color: rgba(#e3e7f8, 0.1);
		}

		:host([type='channel']) {
			position: relative;
		}

		:host([type='voice']),
		:host([type='locked']),
		:host([type='thread']),
		:host([type='forum']) {
			position: relative;
		}

		:host(:hover) {
			color: #fff;
			background-color: hsl(235, 85.6%, 64.7%);
		}

		:host([highlight][type='user']:hover) {
			text-decoration: underline;
			text-underline-offset: 1px;
		}

		:host([light-theme]) {
			color: #5865f2;
			background-color: hsla(235, 85.6%, 64.7%, 0.15);
		}

		:host([light-theme]:hover) {
			color: #ffffff;
			background-color: hsl(235, 85.6%, 64.7%);
		}

		.discord-mention-icon {
			width: 1rem;
			height: 1rem;
			margin-right: 4px;
			vertical-align: middle;
			margin-bottom: 0.2rem;
		}

		.no-wrap {
			white-space: nowrap;
		}
	`;#e=Ve(this,r,!1);get highlight(){return this.#e}set highlight(j){this.#e=j}#t=(Ve(this,c),Ve(this,v,"user"));get type(){return this.#t}set type(j){this.#t=j}#i=(Ve(this,n),Ve(this,M,void 0));get color(){return this.#i}set color(j){this.#i=j}setHoverColor=(Ve(this,_),()=>{this.color&&(this.style.backgroundColor=yi(this.color,.3))});resetHoverColor=()=>{this.color&&(this.style.backgroundColor=yi(this.color,.1))};#s=Ve(this,f,!1);get lightTheme(){return this.#s}set lightTheme(j){this.#s=j}connectedCallback(){super.connectedCallback(),this.color&&this.type==="role"&&(this.addEventListener("mouseover",this.setHoverColor),this.addEventListener("mouseout",this.resetHoverColor))}disconnectedCallback(){this.removeEventListener("mouseover",this.setHoverColor),this.removeEventListener("mouseout",this.resetHoverColor),super.disconnectedCallback()}willUpdate(){this.color&&(this.style.color=this.color,this.type==="role"&&(this.style.backgroundColor=yi(this.color,.1)))}render(){return l`<span class="no-wrap"
				>${_i(this.type,[["channel",()=>Ht()],["user",()=>l`@`],["role",()=>l`@`],["voice",()=>kt()],["locked",()=>Ct()],["thread",()=>$t()],["forum",()=>wt()],["server-guide",()=>Ni()],["channels-and-roles",()=>Li()],["customize-community",()=>Pi()],["slash",()=>l`/`]])}</span
			><slot></slot>`}constructor(){super(...arguments),Ve(this,d)}static{Ve(t,s)}};return p=t})();var nr=w`
 	<path 
		fill="currentColor" 
 		d="M15.56 11.77c.2-.1.44.02.44.23a4 4 0 1 1-4-4c.21 0 .33.25.23.44a2.5 2.5 0 0 0 3.32 3.32Z"
 	/>
  	<path 
		fill="currentColor" 
  		fill-rule="evenodd" 
  		d="M22.89 11.7q.105.3 0 .6C22.27 13.9 19.1 21 12 21c-7.11 0-10.27-7.11-10.89-8.7a.83.83 0 0 1 0-.6C1.73 10.1 4.9 3 12 3c7.11 0 10.27 7.11 10.89 8.7m-4.5-3.62A15.1 15.1 0 0 1 20.85 12c-.38.88-1.18 2.47-2.46 3.92C16.87 17.62 14.8 19 12 19s-4.87-1.38-6.39-3.08A15.1 15.1 0 0 1 3.15 12c.38-.88 1.18-2.47 2.46-3.92C7.13 6.38 9.2 5 12 5s4.87 1.38 6.39 3.08" 
  		clip-rule="evenodd"
  	/>
`;function Ri(i={}){return l`<svg
		${H(i)}
		class="discord-message-ephemeral-icon"
		aria-hidden="false"
		width="16"
		height="16"
		viewBox="0 0 24 24"
		xmlns="http://www.w3.org/2000/svg"
	>
		${nr}
	</svg>`}var X=function(i,e,s,t,a,h){function r(p){if(p!==void 0&&typeof p!="function")throw new TypeError("Function expected");return p}for(var c=t.kind,u=c==="getter"?"get":c==="setter"?"set":"value",v=!e&&i?t.static?i:i.prototype:null,n=e||(v?Object.getOwnPropertyDescriptor(v,t.name):{}),o,M=!1,_=s.length-1;_>=0;_--){var z={};for(var f in t)z[f]=f==="access"?{}:t[f];for(var f in t.access)z.access[f]=t.access[f];z.addInitializer=function(p){if(M)throw new TypeError("Cannot add initializers after decoration has completed");h.push(r(p||null))};var d=(0,s[_])(c==="accessor"?{get:n.get,set:n.set}:n[u],z);if(c==="accessor"){if(d===void 0)continue;if(d===null||typeof d!="object")throw new TypeError("Object expected");(o=r(d.get))&&(n.get=o),(o=r(d.set))&&(n.set=o),(o=r(d.init))&&a.unshift(o)}else(o=r(d))&&(c==="field"?a.unshift(o):n[u]=o)}v&&Object.defineProperty(v,t.name,n),M=!0},L=function(i,e,s){for(var t=arguments.length>2,a=0;a<e.length;a++)s=t?e[a].call(i,s):e[a].call(i);return t?s:void 0},Gs=(()=>{let i=[K("discord-message")],e,s=[],t,a=q,h,r=[],c=[],u,v=[],n=[],o,M=[],_=[],z,f=[],d=[],p,j=[],E=[],N,$=[],y=[],P,S=[],C=[],R,se=[],re=[],ce,de=[],me=[],fe,ve=[],pe=[],ue,ge=[],ze=[],_e,be=[],ye=[],Me,B=[],T=[],U,D=[],k=[],Z,tt=[],it=[],st,at=[],rt=[],ot,ht=[],lt=[],nt,ct=[],dt=[],mt,A=[],b=[],I,Ge=[],ft=[],At,ss=[],as=[],rs,os=[],hs=[],ls,ns=[],cs=[],ds,ms=[],fs=[];var vs=class extends a{static{t=this}static{let x=typeof Symbol=="function"&&Symbol.metadata?Object.create(a[Symbol.metadata]??null):void 0;h=[g()],u=[g()],o=[g()],z=[g({type:Boolean})],p=[g({type:Boolean})],N=[g({type:Boolean,attribute:"official-app"})],P=[g({type:Boolean})],R=[g({type:Boolean})],ce=[g({type:Boolean})],fe=[g({attribute:"role-color"})],ue=[g({attribute:"role-icon"})],_e=[g({attribute:"role-name"})],Me=[g({attribute:"clan-icon"})],U=[g({attribute:"clan-tag"})],Z=[g({type:Boolean,reflect:!0})],st=[g({type:Boolean,reflect:!0})],ot=[g({type:String,converter:m=>De(m,!1,!1),attribute:!0})],nt=[g({type:Boolean,attribute:"twenty-four"})],mt=[g({type:Boolean,attribute:"message-body-only"})],I=[Y({context:ie}),g({type:Boolean,reflect:!0,attribute:"light-theme"})],At=[Y({context:Te}),g({type:Boolean,reflect:!0,attribute:"compact-mode"})],rs=[Y({context:Di}),g({type:Boolean,reflect:!0,attribute:"no-background"})],ls=[g({type:Boolean,reflect:!0,attribute:"has-thread"})],ds=[g({reflect:!1,attribute:"dismiss-message-clicked"})],X(this,null,h,{kind:"accessor",name:"profile",static:!1,private:!1,access:{has:m=>"profile"in m,get:m=>m.profile,set:(m,V)=>{m.profile=V}},metadata:x},r,c),X(this,null,u,{kind:"accessor",name:"author",static:!1,private:!1,access:{has:m=>"author"in m,get:m=>m.author,set:(m,V)=>{m.author=V}},metadata:x},v,n),X(this,null,o,{kind:"accessor",name:"avatar",static:!1,private:!1,access:{has:m=>"avatar"in m,get:m=>m.avatar,set:(m,V)=>{m.avatar=V}},metadata:x},M,_),X(this,null,z,{kind:"accessor",name:"bot",static:!1,private:!1,access:{has:m=>"bot"in m,get:m=>m.bot,set:(m,V)=>{m.bot=V}},metadata:x},f,d),X(this,null,p,{kind:"accessor",name:"server",static:!1,private:!1,access:{has:m=>"server"in m,get:m=>m.server,set:(m,V)=>{m.server=V}},metadata:x},j,E),X(this,null,N,{kind:"accessor",name:"officialApp",static:!1,private:!1,access:{has:m=>"officialApp"in m,get:m=>m.officialApp,set:(m,V)=>{m.officialApp=V}},metadata:x},$,y),X(this,null,P,{kind:"accessor",name:"verified",static:!1,private:!1,access:{has:m=>"verified"in m,get:m=>m.verified,set:(m,V)=>{m.verified=V}},metadata:x},S,C),X(this,null,R,{kind:"accessor",name:"op",static:!1,private:!1,access:{has:m=>"op"in m,get:m=>m.op,set:(m,V)=>{m.op=V}},metadata:x},se,re),X(this,null,ce,{kind:"accessor",name:"edited",static:!1,private:!1,access:{has:m=>"edited"in m,get:m=>m.edited,set:(m,V)=>{m.edited=V}},metadata:x},de,me),X(this,null,fe,{kind:"accessor",name:"roleColor",static:!1,private:!1,access:{has:m=>"roleColor"in m,get:m=>m.roleColor,set:(m,V)=>{m.roleColor=V}},metadata:x},ve,pe),X(this,null,ue,{kind:"accessor",name:"roleIcon",static:!1,private:!1,access:{has:m=>"roleIcon"in m,get:m=>m.roleIcon,set:(m,V)=>{m.roleIcon=V}},metadata:x},ge,ze),X(this,null,_e,{kind:"accessor",name:"roleName",static:!1,private:!1,access:{has:m=>"roleName"in m,get:m=>m.roleName,set:(m,V)=>{m.roleName=V}},metadata:x},be,ye),X(this,null,Me,{kind:"accessor",name:"clanIcon",static:!1,private:!1,access:{has:m=>"clanIcon"in m,get:m=>m.clanIcon,set:(m,V)=>{m.clanIcon=V}},metadata:x},B,T),X(this,null,U,{kind:"accessor",name:"clanTag",static:!1,private:!1,access:{has:m=>"clanTag"in m,get:m=>m.clanTag,set:(m,V)=>{m.clanTag=V}},metadata:x},D,k),X(this,null,Z,{kind:"accessor",name:"highlight",static:!1,private:!1,access:{has:m=>"highlight"in m,get:m=>m.highlight,set:(m,V)=>{m.highlight=V}},metadata:x},tt,it),X(this,null,st,{kind:"accessor",name:"ephemeral",static:!1,private:!1,access:{has:m=>"ephemeral"in m,get:m=>m.ephemeral,set:(m,V)=>{m.ephemeral=V}},metadata:x},at,rt),X(this,null,ot,{kind:"accessor",name:"timestamp",static:!1,private:!1,access:{has:m=>"timestamp"in m,get:m=>m.timestamp,set:(m,V)=>{m.timestamp=V}},metadata:x},ht,lt),X(this,null,nt,{kind:"accessor",name:"twentyFour",static:!1,private:!1,access:{has:m=>"twentyFour"in m,get:m=>m.twentyFour,set:(m,V)=>{m.twentyFour=V}},metadata:x},ct,dt),X(this,null,mt,{kind:"accessor",name:"messageBodyOnly",static:!1,private:!1,access:{has:m=>"messageBodyOnly"in m,get:m=>m.messageBodyOnly,set:(m,V)=>{m.messageBodyOnly=V}},metadata:x},A,b),X(this,null,I,{kind:"accessor",name:"lightTheme",static:!1,private:!1,access:{has:m=>"lightTheme"in m,get:m=>m.lightTheme,set:(m,V)=>{m.lightTheme=V}},metadata:x},Ge,ft),X(this,null,At,{kind:"accessor",name:"compactMode",static:!1,private:!1,access:{has:m=>"compactMode"in m,get:m=>m.compactMode,set:(m,V)=>{m.compactMode=V}},metadata:x},ss,as),X(this,null,rs,{kind:"accessor",name:"noBackground",static:!1,private:!1,access:{has:m=>"noBackground"in m,get:m=>m.noBackground,set:(m,V)=>{m.noBackground=V}},metadata:x},os,hs),X(this,null,ls,{kind:"accessor",name:"hasThread",static:!1,private:!1,access:{has:m=>"hasThread"in m,get:m=>m.hasThread,set:(m,V)=>{m.hasThread=V}},metadata:x},ns,cs),X(this,null,ds,{kind:"accessor",name:"dismissMessageClicked",static:!1,private:!1,access:{has:m=>"dismissMessageClicked"in m,get:m=>m.dismissMessageClicked,set:(m,V)=>{m.dismissMessageClicked=V}},metadata:x},ms,fs),X(null,e={value:t},i,{kind:"class",name:t.name,metadata:x},null,s),vs=t=e.value,x&&Object.defineProperty(t,Symbol.metadata,{enumerable:!0,configurable:!0,writable:!0,value:x})}static styles=G`
		:host {
			color: #dcddde;
			display: flex;
			flex-direction: column;
			font-size: 0.9em;
			font-family: 'gg sans', 'Noto Sans', Whitney, 'Helvetica Neue', Helvetica, Roboto, Arial, sans-serif;

			position: relative;
			word-wrap: break-word;
			-webkit-user-select: text;
			-moz-user-select: text;
			-ms-user-select: text;
			user-select: text;
			-webkit-box-flex: 0;
			-ms-flex: 0 0 auto;
			flex: 0 0 auto;
			min-height: 1.375rem;
			padding-left: 1em;
			padding-right: 48px;
			margin-top: inherit;
			margin-bottom: inherit;
			line-height: 16px;
		}

		.discord-message-inner {
			display: flex;
			position: relative;
			-webkit-box-flex: 0;
			-ms-flex: 0 0 auto;
			flex: 0 0 auto;
		}

		.discord-message-inner-center {
			align-items: center;
		}

		:host([message-body-only]) {
			margin-top: 0px !important;
			padding-top: 0.125rem !important;
			padding-bottom: 0.0625rem !important;
		}

		:host([highlight]),
		:host([ephemeral]) {
			padding-right: 5px;
			position: relative;
		}

		:host([highlight])::before,
		:host([ephemeral])::before {
			content: '';
			position: absolute;
			display: block;
			top: 0;
			left: 0;
			bottom: 0;
			pointer-events: none;
			width: 2px;
		}

		:host([highlight]) {
			background-color: rgba(250, 166, 26, 0.1);
		}

		:host([highlight][light-theme]) {
			background-color: rgba(250, 166, 26, 0.1);
		}

		:host([highlight])::before {
			background-color: #faa61a;
		}

		:host([light-theme][highlight])::before {
			background-color: #af7615;
		}

		:host([ephemeral]) {
			background-color: rgba(88, 101, 242, 0.05);
		}

		:host([ephemeral]:hover) {
			background-color: rgba(88, 101, 242, 0.1);
		}

		:host([ephemeral])::before {
			background-color: #5865f2;
		}

		:host([light-theme]) {
			color: #2e3338;
			border-color: #eceeef;
		}

		.discord-author-avatar {
			margin-right: 16px;
			margin-top: 5px;
			min-width: 40px;
			z-index: 1;
			display: flex;
		}

		.discord-author-avatar img {
			width: 40px;
			height: 40px;
			border-radius: 50%;
			cursor: pointer;
		}

		.discord-message-timestamp {
			color: #72767d;
			font-size: 12px;
			margin-left: 3px;
		}

		.discord-message-body-only-indent {
			width: 56px;
		}

		:host(:hover) .discord-message-timestamp-hover::before {
			content: attr(datetime);
		}

		:host([light-theme]) .discord-message-timestamp {
			color: #747f8d;
		}

		.discord-message-edited {
			color: #72767d;
			font-size: 10px;
		}

		:host([light-theme]) .discord-message-edited {
			color: #99aab5;
		}

		.discord-message-content {
			width: 100%;
			line-height: 160%;
			font-weight: normal;
			padding-top: 2px;
		}

		.discord-message-body {
			font-size: 1rem;
			font-weight: 400;
			word-break: break-word;
			position: relative;
		}

		:host([light-theme]) .discord-message-timestamp,
		:host([compact-mode]) .discord-message:hover .discord-message-timestamp {
			color: #99aab5;
		}

		:host([light-theme][compact-mode]).discord-message-timestamp {
			color: #d1d9de;
		}

		:host([compact-mode]) .discord-message-timestamp {
			display: inline-block;
			width: 3.1rem;
			text-align: right;
			font-size: 0.6875rem;
			line-height: 1.375rem;
			margin-right: 0.375rem;
			margin-left: 0;
			text-indent: 0;
		}

		:host([compact-mode]) .discord-message-body {
			line-height: 1.375rem;
			padding-left: 10px;
			margin-left: -6px;
		}

		:host([compact-mode]) .discord-message-compact-indent {
			padding-left: 10px;
		}

		:host .discord-message-markup {
			font-size: 1rem;
			line-height: 1.375rem;
			word-wrap: break-word;
			user-select: text;
			font-weight: 400;
			display: inline;
		}

		:host(:hover) {
			background-color: hsl(0 calc(1 * 0%) 0.8%/0.03);
		}

		:host([highlight]:hover) {
			background-color: hsl(40 calc(1 * 86.4%) 56.9%/0.08);
		}

		:host([has-thread]):after {
			width: 2rem;
			left: 2.2rem;
			top: 4.8rem;
			border-left: 2px solid #4f545c !important;
			border-bottom: 2px solid #4f545c !important;
			border-bottom-left-radius: 8px !important;
			bottom: 29px;
			content: '';
			position: absolute;
		}

		:host([light-theme][has-Thread]):after {
			border-color: #747f8d !important;
		}

		.discord-message-ephemeral {
			margin-top: 4px;
			font-size: 12px;
			font-weight: 400;
			color: #72767d;
		}

		:host([light-theme]) .discord-message-ephemeral {
			color: #747f8d;
		}

		.discord-message-ephemeral .discord-message-ephemeral-link {
			color: #00aff4;
			font-weight: 500;
			cursor: pointer;
		}

		.discord-message-ephemeral .discord-message-ephemeral-link:hover {
			text-decoration: underline;
		}

		.discord-message-ephemeral .discord-message-ephemeral-icon {
			margin-right: 4px;
			vertical-align: text-bottom;
		}
	`;#e=L(this,r,void 0);get profile(){return this.#e}set profile(x){this.#e=x}#t=(L(this,c),L(this,v,"User"));get author(){return this.#t}set author(x){this.#t=x}#i=(L(this,n),L(this,M,void 0));get avatar(){return this.#i}set avatar(x){this.#i=x}#s=(L(this,_),L(this,f,!1));get bot(){return this.#s}set bot(x){this.#s=x}#a=(L(this,d),L(this,j,!1));get server(){return this.#a}set server(x){this.#a=x}#r=(L(this,E),L(this,$,!1));get officialApp(){return this.#r}set officialApp(x){this.#r=x}#o=(L(this,y),L(this,S,!1));get verified(){return this.#o}set verified(x){this.#o=x}#h=(L(this,C),L(this,se,!1));get op(){return this.#h}set op(x){this.#h=x}#l=(L(this,re),L(this,de,!1));get edited(){return this.#l}set edited(x){this.#l=x}#n=(L(this,me),L(this,ve,void 0));get roleColor(){return this.#n}set roleColor(x){this.#n=x}#c=(L(this,pe),L(this,ge,void 0));get roleIcon(){return this.#c}set roleIcon(x){this.#c=x}#d=(L(this,ze),L(this,be,void 0));get roleName(){return this.#d}set roleName(x){this.#d=x}#m=(L(this,ye),L(this,B,void 0));get clanIcon(){return this.#m}set clanIcon(x){this.#m=x}#f=(L(this,T),L(this,D,void 0));get clanTag(){return this.#f}set clanTag(x){this.#f=x}#v=(L(this,k),L(this,tt,!1));get highlight(){return this.#v}set highlight(x){this.#v=x}#p=(L(this,it),L(this,at,!1));get ephemeral(){return this.#p}set ephemeral(x){this.#p=x}#u=(L(this,rt),L(this,ht,new Date));get timestamp(){return this.#u}set timestamp(x){this.#u=x}#g=(L(this,lt),L(this,ct,!1));get twentyFour(){return this.#g}set twentyFour(x){this.#g=x}#z=(L(this,dt),L(this,A,!1));get messageBodyOnly(){return this.#z}set messageBodyOnly(x){this.#z=x}#_=(L(this,b),L(this,Ge,!1));get lightTheme(){return this.#_}set lightTheme(x){this.#_=x}#b=(L(this,ft),L(this,ss,!1));get compactMode(){return this.#b}set compactMode(x){this.#b=x}#y=(L(this,as),L(this,os,!1));get noBackground(){return this.#y}set noBackground(x){this.#y=x}#M=(L(this,hs),L(this,ns,!1));get hasThread(){return this.#M}set hasThread(x){this.#M=x}#x=(L(this,cs),L(this,ms,()=>{}));get dismissMessageClicked(){return this.#x}set dismissMessageClicked(x){this.#x=x}willUpdate(){this.hasThread=Array.from(this.children).some(x=>x.tagName.toLowerCase()==="discord-thread"),this.highlight=this.highlight||Array.from(this.children).some(x=>x.tagName.toLowerCase()==="discord-mention"&&x.hasAttribute("highlight")&&(x.type==="user"||x.type==="role"))}handleSpaceToDismissMessage(x){x.code==="Space"&&(x.preventDefault(),x.stopPropagation(),this.dismissMessageClicked?.())}render(){let x={author:this.author,bot:this.bot,officialApp:this.officialApp,verified:this.verified,server:this.server,op:this.op,roleColor:this.roleColor,roleIcon:this.roleIcon,clanIcon:this.clanIcon,clanTag:this.clanTag,roleName:this.roleName},m=this.profile!==void 0&&Reflect.get(pi,this.profile)||{},V={...x,...m,avatar:this.resolveAvatar(m.avatar??this.avatar)},vt=De(this.timestamp,this.compactMode,this.twentyFour)??void 0;return l`
			<slot name="reply"></slot>
			<div
				class=${$e({"discord-message-inner":!0,"discord-message-inner-center":this.messageBodyOnly})}
			>
				${O(this.compactMode&&!this.messageBodyOnly,()=>l`<time datetime="${W(vt)}" class="discord-message-timestamp">${vt}</time>`,()=>null)}
				${O(this.messageBodyOnly,()=>l`<time
							datetime="${W(vt)}"
							class=${$e({"discord-message-timestamp":!0,"discord-message-timestamp-hover":!0,"discord-message-body-only-indent":!this.compactMode})}
						></time>`,()=>null)}
				${O(this.compactMode||this.messageBodyOnly,()=>null,()=>l`<div class="discord-author-avatar">
							<img src="${W(V.avatar)}" alt="${W(V.author)}" />
						</div>`)}

				<div class="discord-message-content">
					${O(this.compactMode||this.messageBodyOnly,()=>null,()=>l`
							<discord-author-info
								author=${V.author??""}
								?bot=${V.bot??!1}
								?server=${V.server??!1}
								?official-app=${V.officialApp??!1}
								?verified=${V.verified??!1}
								?op=${V.op??!1}
								role-color=${V.roleColor??""}
								role-icon=${V.roleIcon??""}
								role-name=${V.roleName??""}
								clan-icon=${V.clanIcon??""}
								clan-tag=${V.clanTag??""}
							></discord-author-info
							><time datetime="${W(vt)}" class="discord-message-timestamp">${vt}</time>
						`)}
					<div class="discord-message-body">
						${O(this.compactMode,()=>l`<discord-author-info
									author=${V.author??""}
									?bot=${V.bot??!1}
									?server=${V.server??!1}
									?official-app=${V.officialApp??!1}
									?verified=${V.verified??!1}
									?op=${V.op??!1}
									role-color=${V.roleColor??""}
									role-icon=${V.roleIcon??""}
									role-name=${V.roleName??""}
									clan-icon=${V.clanIcon??""}
									clan-tag=${V.clanTag??""}
								></discord-author-info>`,()=>null)}<span class="discord-message-markup"><slot></slot></span>
						${O(this.edited,()=>l`<span class="discord-message-edited">(edited)</span>`,()=>null)}
					</div>
					<div class="discord-message-compact-indent">
						<slot name="attachments"></slot>
						<slot name="embeds"></slot>
						<slot name="components"></slot>
						<slot name="reactions"></slot>
						<slot name="thread"></slot>
						${O(this.ephemeral,()=>l`
								<div class="discord-message-ephemeral">
									${Ri()} Only you can see this •
									<span
										role="button"
										class="discord-message-ephemeral-link"
										@click=${this.dismissMessageClicked}
										@keydown=${this.handleSpaceToDismissMessage}
										>Dismiss message</span
									>
								</div>
							`,()=>null)}
					</div>
				</div>
			</div>
		`}resolveAvatar(x){return x===void 0?Fe.default:Fe[x]??x??Fe.default}constructor(){super(...arguments),L(this,fs)}static{L(t,s)}};return vs=t})();var We=function(i,e,s,t,a,h){function r(p){if(p!==void 0&&typeof p!="function")throw new TypeError("Function expected");return p}for(var c=t.kind,u=c==="getter"?"get":c==="setter"?"set":"value",v=!e&&i?t.static?i:i.prototype:null,n=e||(v?Object.getOwnPropertyDescriptor(v,t.name):{}),o,M=!1,_=s.length-1;_>=0;_--){var z={};for(var f in t)z[f]=f==="access"?{}:t[f];for(var f in t.access)z.access[f]=t.access[f];z.addInitializer=function(p){if(M)throw new TypeError("Cannot add initializers after decoration has completed");h.push(r(p||null))};var d=(0,s[_])(c==="accessor"?{get:n.get,set:n.set}:n[u],z);if(c==="accessor"){if(d===void 0)continue;if(d===null||typeof d!="object")throw new TypeError("Object expected");(o=r(d.get))&&(n.get=o),(o=r(d.set))&&(n.set=o),(o=r(d.init))&&a.unshift(o)}else(o=r(d))&&(c==="field"?a.unshift(o):n[u]=o)}v&&Object.defineProperty(v,t.name,n),M=!0},le=function(i,e,s){for(var t=arguments.length>2,a=0;a<e.length;a++)s=t?e[a].call(i,s):e[a].call(i);return t?s:void 0},Ks=(()=>{let i=[K("discord-reaction")],e,s=[],t,a=q,h,r=[],c=[],u,v=[],n=[],o,M=[],_=[],z,f=[],d=[],p,j=[],E=[],N,$=[],y=[];var P=class extends a{static{t=this}static{let S=typeof Symbol=="function"&&Symbol.metadata?Object.create(a[Symbol.metadata]??null):void 0;h=[g()],u=[g()],o=[g({type:Number})],z=[g({type:Boolean,reflect:!0})],p=[g({type:Boolean})],N=[Y({context:ie}),g({type:Boolean,reflect:!0,attribute:"light-theme"})],We(this,null,h,{kind:"accessor",name:"emoji",static:!1,private:!1,access:{has:C=>"emoji"in C,get:C=>C.emoji,set:(C,R)=>{C.emoji=R}},metadata:S},r,c),We(this,null,u,{kind:"accessor",name:"name",static:!1,private:!1,access:{has:C=>"name"in C,get:C=>C.name,set:(C,R)=>{C.name=R}},metadata:S},v,n),We(this,null,o,{kind:"accessor",name:"count",static:!1,private:!1,access:{has:C=>"count"in C,get:C=>C.count,set:(C,R)=>{C.count=R}},metadata:S},M,_),We(this,null,z,{kind:"accessor",name:"reacted",static:!1,private:!1,access:{has:C=>"reacted"in C,get:C=>C.reacted,set:(C,R)=>{C.reacted=R}},metadata:S},f,d),We(this,null,p,{kind:"accessor",name:"interactive",static:!1,private:!1,access:{has:C=>"interactive"in C,get:C=>C.interactive,set:(C,R)=>{C.interactive=R}},metadata:S},j,E),We(this,null,N,{kind:"accessor",name:"lightTheme",static:!1,private:!1,access:{has:C=>"lightTheme"in C,get:C=>C.lightTheme,set:(C,R)=>{C.lightTheme=R}},metadata:S},$,y),We(null,e={value:t},i,{kind:"class",name:t.name,metadata:S},null,s),P=t=e.value,S&&Object.defineProperty(t,Symbol.metadata,{enumerable:!0,configurable:!0,writable:!0,value:S})}static styles=G`
		:host > *:first-child {
			border-radius: 0.5rem;
			cursor: pointer;
			flex-shrink: 0;
			margin-right: 0.25rem;
			margin-bottom: 0.25rem;
			user-select: none;
			transition: none 0.1s ease;
			transition-property: background-color, border-color;
			background-color: #2f3136;
			border: 1px solid transparent;
		}

		:host([light-theme]) > *:first-child {
			background-color: #f2f3f5;
		}

		:host > *:first-child:hover {
			background-color: #36393f;
			border-color: #fff2;
		}

		:host([light-theme]:not([reacted])) > *:first-child:hover {
			background-color: white;
			border-color: #0003;
		}

		:host([reacted]) > *:first-child {
			background-color: rgba(88, 101, 242, 0.15);
			border-color: #5865f2;
		}

		:host([light-theme][reacted]) > *:first-child {
			background-color: #e7e9fd;
		}

		:host .discord-reaction-inner {
			display: flex;
			align-items: center;
			padding: 0.125rem 0.375rem;
		}

		:host img {
			width: 1rem;
			height: 1rem;
			margin: 0.125rem 0;
			min-width: auto;
			min-height: auto;
			object-fit: contain;
			vertical-align: bottom;
		}

		:host .discord-reaction-count {
			font-size: 0.875rem;
			font-weight: 500;
			margin-left: 0.375rem;
			text-align: center;
			color: #b9bbbe;
		}

		:host([light-theme]) .discord-reaction-count {
			color: #4f5660;
		}

		:host([reacted]) .discord-reaction-count {
			color: #dee0fc;
		}

		:host([light-theme][reacted]) .discord-reaction-count {
			color: #5865f2;
		}
	`;#e=le(this,r,void 0);get emoji(){return this.#e}set emoji(S){this.#e=S}#t=(le(this,c),le(this,v,":emoji:"));get name(){return this.#t}set name(S){this.#t=S}#i=(le(this,n),le(this,M,1));get count(){return this.#i}set count(S){this.#i=S}#s=(le(this,_),le(this,f,!1));get reacted(){return this.#s}set reacted(S){this.#s=S}#a=(le(this,d),le(this,j,!1));get interactive(){return this.#a}set interactive(S){this.#a=S}#r=(le(this,E),le(this,$,!1));get lightTheme(){return this.#r}set lightTheme(S){this.#r=S}render(){return l`<div class="discord-reaction-inner" @click=${this.handleReactionClick} @keydown=${this.handleReactionClick}>
			${O(this.emoji?.includes("http")||this.emoji?.startsWith("/")||this.emoji?.startsWith("./"),()=>l`<img src=${W(this.emoji)} alt=${W(this.name)} draggable="false" />`,()=>l`<span>${this.emoji}</span>`)}
			<span class="discord-reaction-count">${this.count}</span>
		</div>`}handleReactionClick=(le(this,y),S=>{this.interactive&&(S.shiftKey?this.count--:this.count++,this.count<=0&&(this.count=1))});static{le(t,s)}};return P=t})();var cr=function(i,e,s,t,a,h){function r(p){if(p!==void 0&&typeof p!="function")throw new TypeError("Function expected");return p}for(var c=t.kind,u=c==="getter"?"get":c==="setter"?"set":"value",v=!e&&i?t.static?i:i.prototype:null,n=e||(v?Object.getOwnPropertyDescriptor(v,t.name):{}),o,M=!1,_=s.length-1;_>=0;_--){var z={};for(var f in t)z[f]=f==="access"?{}:t[f];for(var f in t.access)z.access[f]=t.access[f];z.addInitializer=function(p){if(M)throw new TypeError("Cannot add initializers after decoration has completed");h.push(r(p||null))};var d=(0,s[_])(c==="accessor"?{get:n.get,set:n.set}:n[u],z);if(c==="accessor"){if(d===void 0)continue;if(d===null||typeof d!="object")throw new TypeError("Object expected");(o=r(d.get))&&(n.get=o),(o=r(d.set))&&(n.set=o),(o=r(d.init))&&a.unshift(o)}else(o=r(d))&&(c==="field"?a.unshift(o):n[u]=o)}v&&Object.defineProperty(v,t.name,n),M=!0},dr=function(i,e,s){for(var t=arguments.length>2,a=0;a<e.length;a++)s=t?e[a].call(i,s):e[a].call(i);return t?s:void 0},Js=(()=>{let i=[K("discord-reactions")],e,s=[],t,a=q;var h=class extends a{static{t=this}static{let r=typeof Symbol=="function"&&Symbol.metadata?Object.create(a[Symbol.metadata]??null):void 0;cr(null,e={value:t},i,{kind:"class",name:t.name,metadata:r},null,s),h=t=e.value,r&&Object.defineProperty(t,Symbol.metadata,{enumerable:!0,configurable:!0,writable:!0,value:r})}static styles=G`
		:host {
			display: flex;
			-webkit-box-flex: 1;
			-ms-flex: 1 0 auto;
			flex: 1 0 auto;
			align-items: center;
			flex-wrap: wrap;
		}
	`;render(){return l`<slot></slot>`}static{dr(t,s)}};return h=t})();var mr=w`
	<path
		fill="currentColor"
		d="M56 50.6667V13.3333C56 10.4 53.6 8 50.6667 8H13.3333C10.4 8 8 10.4 8 13.3333V50.6667C8 53.6 10.4 56 13.3333 56H50.6667C53.6 56 56 53.6 56 50.6667ZM22.6667 36L29.3333 44.0267L38.6667 32L50.6667 48H13.3333L22.6667 36Z"
	/>
`;function Ui(i={}){return l`<svg ${H(i)} aria-hidden="false" width="64" height="64" viewBox="0 0 64 64">${mr}</svg>`}var fr=w`
	<path
		fill="currentColor"
		fill-rule="evenodd"
		clip-rule="evenodd"
		d="M5 3C3.89543 3 3 3.89543 3 5V19C3 20.1046 3.89543 21 5 21H19C20.1046 21 21 20.1046 21 19V5C21 3.89543 20.1046 3 19 3H5ZM16.8995 8.41419L15.4853 6.99998L7 15.4853L8.41421 16.8995L16.8995 8.41419Z"
	/>
`;function Fi(i){return l`<svg ${H(i||{})} class="discord-command-icon" aria-hidden="false" width="24" height="24" viewBox="0 0 24 24">
		${fr}
	</svg>`}var vr=w`
	<path
		d="M0.809739 3.59646L5.12565 0.468433C5.17446 0.431163 5.23323 0.408043 5.2951 0.401763C5.35698 0.395482 5.41943 0.406298 5.4752 0.432954C5.53096 0.45961 5.57776 0.50101 5.61013 0.552343C5.64251 0.603676 5.65914 0.662833 5.6581 0.722939V2.3707C10.3624 2.3707 11.2539 5.52482 11.3991 7.21174C11.4028 7.27916 11.3848 7.34603 11.3474 7.40312C11.3101 7.46021 11.2554 7.50471 11.1908 7.53049C11.1262 7.55626 11.0549 7.56204 10.9868 7.54703C10.9187 7.53201 10.857 7.49695 10.8104 7.44666C8.72224 5.08977 5.6581 5.63359 5.6581 5.63359V7.28135C5.65831 7.34051 5.64141 7.39856 5.60931 7.44894C5.5772 7.49932 5.53117 7.54004 5.4764 7.5665C5.42163 7.59296 5.3603 7.60411 5.29932 7.59869C5.23834 7.59328 5.18014 7.57151 5.13128 7.53585L0.809739 4.40892C0.744492 4.3616 0.691538 4.30026 0.655067 4.22975C0.618596 4.15925 0.599609 4.08151 0.599609 4.00269C0.599609 3.92386 0.618596 3.84612 0.655067 3.77562C0.691538 3.70511 0.744492 3.64377 0.809739 3.59646Z"
		fill="currentColor"
	/>
`;function qi(i={}){return l`<svg ${H(i)} class="discord-reply-icon" aria-hidden="false" width="12" height="8" viewBox="0 0 12 8">${vr}</svg>`}var te=function(i,e,s,t,a,h){function r(p){if(p!==void 0&&typeof p!="function")throw new TypeError("Function expected");return p}for(var c=t.kind,u=c==="getter"?"get":c==="setter"?"set":"value",v=!e&&i?t.static?i:i.prototype:null,n=e||(v?Object.getOwnPropertyDescriptor(v,t.name):{}),o,M=!1,_=s.length-1;_>=0;_--){var z={};for(var f in t)z[f]=f==="access"?{}:t[f];for(var f in t.access)z.access[f]=t.access[f];z.addInitializer=function(p){if(M)throw new TypeError("Cannot add initializers after decoration has completed");h.push(r(p||null))};var d=(0,s[_])(c==="accessor"?{get:n.get,set:n.set}:n[u],z);if(c==="accessor"){if(d===void 0)continue;if(d===null||typeof d!="object")throw new TypeError("Object expected");(o=r(d.get))&&(n.get=o),(o=r(d.set))&&(n.set=o),(o=r(d.init))&&a.unshift(o)}else(o=r(d))&&(c==="field"?a.unshift(o):n[u]=o)}v&&Object.defineProperty(v,t.name,n),M=!0},F=function(i,e,s){for(var t=arguments.length>2,a=0;a<e.length;a++)s=t?e[a].call(i,s):e[a].call(i);return t?s:void 0},Qs=(()=>{let i=[K("discord-reply")],e,s=[],t,a=q,h,r=[],c=[],u,v=[],n=[],o,M=[],_=[],z,f=[],d=[],p,j=[],E=[],N,$=[],y=[],P,S=[],C=[],R,se=[],re=[],ce,de=[],me=[],fe,ve=[],pe=[],ue,ge=[],ze=[],_e,be=[],ye=[],Me,B=[],T=[],U,D=[],k=[],Z,tt=[],it=[],st,at=[],rt=[],ot,ht=[],lt=[],nt,ct=[],dt=[];var mt=class extends a{static{t=this}static{let A=typeof Symbol=="function"&&Symbol.metadata?Object.create(a[Symbol.metadata]??null):void 0;h=[g()],u=[g()],o=[g()],z=[g({type:Boolean})],p=[g({type:Boolean})],N=[g({type:Boolean,attribute:"official-app"})],P=[g({type:Boolean})],R=[g({type:Boolean})],ce=[g({type:Boolean})],fe=[g({attribute:"role-color"})],ue=[g({type:Boolean})],_e=[g({type:Boolean})],Me=[g({type:Boolean})],U=[g({attribute:"clan-icon"})],Z=[g({attribute:"clan-tag"})],st=[g({type:Boolean,reflect:!0})],ot=[Y({context:ie}),g({type:Boolean,reflect:!0,attribute:"light-theme"})],nt=[Y({context:Te}),g({type:Boolean,reflect:!0,attribute:"compact-mode"})],te(this,null,h,{kind:"accessor",name:"profile",static:!1,private:!1,access:{has:b=>"profile"in b,get:b=>b.profile,set:(b,I)=>{b.profile=I}},metadata:A},r,c),te(this,null,u,{kind:"accessor",name:"author",static:!1,private:!1,access:{has:b=>"author"in b,get:b=>b.author,set:(b,I)=>{b.author=I}},metadata:A},v,n),te(this,null,o,{kind:"accessor",name:"avatar",static:!1,private:!1,access:{has:b=>"avatar"in b,get:b=>b.avatar,set:(b,I)=>{b.avatar=I}},metadata:A},M,_),te(this,null,z,{kind:"accessor",name:"bot",static:!1,private:!1,access:{has:b=>"bot"in b,get:b=>b.bot,set:(b,I)=>{b.bot=I}},metadata:A},f,d),te(this,null,p,{kind:"accessor",name:"server",static:!1,private:!1,access:{has:b=>"server"in b,get:b=>b.server,set:(b,I)=>{b.server=I}},metadata:A},j,E),te(this,null,N,{kind:"accessor",name:"officialApp",static:!1,private:!1,access:{has:b=>"officialApp"in b,get:b=>b.officialApp,set:(b,I)=>{b.officialApp=I}},metadata:A},$,y),te(this,null,P,{kind:"accessor",name:"op",static:!1,private:!1,access:{has:b=>"op"in b,get:b=>b.op,set:(b,I)=>{b.op=I}},metadata:A},S,C),te(this,null,R,{kind:"accessor",name:"verified",static:!1,private:!1,access:{has:b=>"verified"in b,get:b=>b.verified,set:(b,I)=>{b.verified=I}},metadata:A},se,re),te(this,null,ce,{kind:"accessor",name:"edited",static:!1,private:!1,access:{has:b=>"edited"in b,get:b=>b.edited,set:(b,I)=>{b.edited=I}},metadata:A},de,me),te(this,null,fe,{kind:"accessor",name:"roleColor",static:!1,private:!1,access:{has:b=>"roleColor"in b,get:b=>b.roleColor,set:(b,I)=>{b.roleColor=I}},metadata:A},ve,pe),te(this,null,ue,{kind:"accessor",name:"command",static:!1,private:!1,access:{has:b=>"command"in b,get:b=>b.command,set:(b,I)=>{b.command=I}},metadata:A},ge,ze),te(this,null,_e,{kind:"accessor",name:"attachment",static:!1,private:!1,access:{has:b=>"attachment"in b,get:b=>b.attachment,set:(b,I)=>{b.attachment=I}},metadata:A},be,ye),te(this,null,Me,{kind:"accessor",name:"mentions",static:!1,private:!1,access:{has:b=>"mentions"in b,get:b=>b.mentions,set:(b,I)=>{b.mentions=I}},metadata:A},B,T),te(this,null,U,{kind:"accessor",name:"clanIcon",static:!1,private:!1,access:{has:b=>"clanIcon"in b,get:b=>b.clanIcon,set:(b,I)=>{b.clanIcon=I}},metadata:A},D,k),te(this,null,Z,{kind:"accessor",name:"clanTag",static:!1,private:!1,access:{has:b=>"clanTag"in b,get:b=>b.clanTag,set:(b,I)=>{b.clanTag=I}},metadata:A},tt,it),te(this,null,st,{kind:"accessor",name:"deleted",static:!1,private:!1,access:{has:b=>"deleted"in b,get:b=>b.deleted,set:(b,I)=>{b.deleted=I}},metadata:A},at,rt),te(this,null,ot,{kind:"accessor",name:"lightTheme",static:!1,private:!1,access:{has:b=>"lightTheme"in b,get:b=>b.lightTheme,set:(b,I)=>{b.lightTheme=I}},metadata:A},ht,lt),te(this,null,nt,{kind:"accessor",name:"compactMode",static:!1,private:!1,access:{has:b=>"compactMode"in b,get:b=>b.compactMode,set:(b,I)=>{b.compactMode=I}},metadata:A},ct,dt),te(null,e={value:t},i,{kind:"class",name:t.name,metadata:A},null,s),mt=t=e.value,A&&Object.defineProperty(t,Symbol.metadata,{enumerable:!0,configurable:!0,writable:!0,value:A})}static styles=G`
		:host {
			color: #b9bbbe;
			display: flex;
			font-size: 0.875rem;
			font-family: 'gg sans', 'Noto Sans', Whitney, 'Helvetica Neue', Helvetica, Roboto, Arial, sans-serif;

			padding-top: 2px;
			margin-left: 56px;
			margin-bottom: 4px;
			align-items: center;
			line-height: 1.125rem;
			position: relative;
			white-space: pre;
			user-select: none;
		}

		:host([light-theme]) {
			color: #4f5660;
		}

		:host([compact-mode]),
		:host([deleted]) {
			margin-left: 62px;
			margin-bottom: 0;
		}

		:host:before {
			content: '';
			display: block;
			position: absolute;
			top: 50%;
			right: 100%;
			bottom: 0;
			left: -36px;
			margin-right: 4px;
			margin-top: -1px;
			margin-left: -1px;
			margin-bottom: -2px;
			border-left: 2px solid #4f545c !important;
			border-bottom: 0 solid #4f545c !important;
			border-right: 0 solid #4f545c !important;
			border-top: 2px solid #4f545c !important;
			border-top-left-radius: 6px;
		}

		:host([light-theme]):before {
			border-color: #747f8d !important;
		}

		.discord-replied-message-avatar,
		.discord-reply-badge {
			-webkit-box-flex: 0;
			-ms-flex: 0 0 auto;
			flex: 0 0 auto;
			width: 16px;
			height: 16px;
			border-radius: 50%;
			user-select: none;
			margin-right: 0.25rem;
		}

		.discord-reply-badge {
			display: flex;
			align-items: center;
			justify-content: center;
			color: #b9bbbe;
			background: #202225;
		}

		:host([light-theme]) .discord-reply-badge {
			color: #4f5660;
			background: #e3e5e8;
		}

		:host .discord-clan-tag {
			background-color: oklab(0.431937 0.00109309 -0.0132537 / 0.8);
			color: #fff;
			font-size: 12px;
			font-weight: 500;
			margin-right: 0.25rem;
			border-radius: 4px;
			line-height: 100%;
			text-transform: uppercase;
			justify-content: space-between;
			display: inline-flex;
			align-items: center;
			padding: 0 0.275rem;
			margin-top: 0.075em;
			height: 1.2rem;
			opacity: 0.55;
			transition: background-color 100ms ease-in-out;
			cursor: pointer;
		}

		:host .discord-clan-tag:hover {
			background-color: oklab(0.431937 0.00109309 -0.0132537 / 0.5);
		}

		:host([light-theme]) .discord-clan-tag {
			opacity: 0.65;
			background-color: hsl(0 calc(1 * 0%) 0.8%/0.09);
			color: #000;
		}

		:host([light-theme]) .discord-clan-tag:hover {
			background-color: hsl(0 calc(1 * 0%) 0.8%/0.03);
		}

		:host .discord-clan-tag svg,
		:host .discord-clan-tag img {
			display: inline-flex;
			align-items: center;
			margin-right: 0.25rem;
			right: 0.25rem;
		}

		:host .discord-clan-tag span {
			display: inline-flex;
			align-items: center;
			user-select: none;
			-webkit-user-select: none;
			line-height: 1rem !important;
		}

		.discord-application-tag {
			background-color: hsl(235, 85.6%, 64.7%);
			color: #fff;
			font-size: 0.625rem;
			margin-right: 0.25rem;
			line-height: 100%;
			text-transform: uppercase;

			/* Use flex layout to ensure both verified icon and "BOT" text are aligned to center */
			display: flex;
			align-items: center;

			/* Styling taken through Inspect Element on Discord client for Windows */
			height: 0.9375rem;
			padding: 0 0.275rem;
			margin-top: 0.075em;
			border-radius: 0.1875rem;
		}

		:host([compact-mode]) .discord-application-tag {
			margin-right: 0.25rem;
		}

		.discord-application-tag .discord-application-tag-verified {
			width: 0.9375rem;
			height: 0.9375rem;
			margin-left: -0.1rem;
		}

		.discord-application-tag.discord-application-tag-op {
			background-color: #c9cdfb;
			color: #4752c4;
			border-radius: 0.4rem;
		}

		.discord-replied-message-username {
			flex-shrink: 0;
			font-size: inherit;
			line-height: inherit;
			margin-right: 0.25rem;
			opacity: 0.64;
			font-weight: 500;
			color: #fff;
		}

		.discord-replied-message-username:hover {
			text-decoration: underline;
			cursor: pointer;
		}

		.discord-replied-message-content {
			color: inherit;
			font-size: inherit;
			line-height: inherit;
			white-space: pre;
			text-overflow: ellipsis;
			user-select: none;
			cursor: pointer;
		}

		.discord-replied-deleted-message-content {
			color: inherit;
			font-size: inherit;
			line-height: inherit;
			white-space: pre;
			text-overflow: ellipsis;
		}

		.discord-message-edited {
			color: #72767d;
			font-size: 10px;
		}

		:host([light-theme]) .discord-message-edited {
			color: #99aab5;
		}

		.discord-replied-message-content:hover {
			color: #fff;
		}

		:host([light-theme]) .discord-replied-message-content:hover {
			color: #000;
		}

		:host .discord-replied-message-content .discord-message-edited {
			margin-left: 0.25rem;
		}

		.discord-replied-message-content-icon {
			-webkit-box-flex: 0;
			-ms-flex: 0 0 auto;
			flex: 0 0 auto;
			width: 20px;
			height: 20px;
			margin-left: 4px;
		}
	`;#e=F(this,r,void 0);get profile(){return this.#e}set profile(A){this.#e=A}#t=(F(this,c),F(this,v,"User"));get author(){return this.#t}set author(A){this.#t=A}#i=(F(this,n),F(this,M,void 0));get avatar(){return this.#i}set avatar(A){this.#i=A}#s=(F(this,_),F(this,f,!1));get bot(){return this.#s}set bot(A){this.#s=A}#a=(F(this,d),F(this,j,!1));get server(){return this.#a}set server(A){this.#a=A}#r=(F(this,E),F(this,$,!1));get officialApp(){return this.#r}set officialApp(A){this.#r=A}#o=(F(this,y),F(this,S,!1));get op(){return this.#o}set op(A){this.#o=A}#h=(F(this,C),F(this,se,!1));get verified(){return this.#h}set verified(A){this.#h=A}#l=(F(this,re),F(this,de,!1));get edited(){return this.#l}set edited(A){this.#l=A}#n=(F(this,me),F(this,ve,void 0));get roleColor(){return this.#n}set roleColor(A){this.#n=A}#c=(F(this,pe),F(this,ge,!1));get command(){return this.#c}set command(A){this.#c=A}#d=(F(this,ze),F(this,be,!1));get attachment(){return this.#d}set attachment(A){this.#d=A}#m=(F(this,ye),F(this,B,!1));get mentions(){return this.#m}set mentions(A){this.#m=A}#f=(F(this,T),F(this,D,void 0));get clanIcon(){return this.#f}set clanIcon(A){this.#f=A}#v=(F(this,k),F(this,tt,void 0));get clanTag(){return this.#v}set clanTag(A){this.#v=A}#p=(F(this,it),F(this,at,!1));get deleted(){return this.#p}set deleted(A){this.#p=A}#u=(F(this,rt),F(this,ht,!1));get lightTheme(){return this.#u}set lightTheme(A){this.#u=A}#g=(F(this,lt),F(this,ct,!1));get compactMode(){return this.#g}set compactMode(A){this.#g=A}resolveAvatar(A){return Fe[A]??A??Fe.default}render(){let A={author:this.author,bot:this.bot,verified:this.verified,officialApp:this.officialApp,op:this.op,server:this.server,roleColor:this.roleColor,clanIcon:this.clanIcon,clanTag:this.clanTag},b=Reflect.get(pi,this.profile)??{},I={...A,...b,avatar:this.resolveAvatar(b.avatar??this.avatar)},Ge=zi(I.clanIcon),ft=I.clanTag?.slice(0,4),At=l`
			${O(I.bot&&!I.server&&!I.officialApp,()=>l`<span class="discord-application-tag">${I.verified?Se():""}App</span>`)}
			${O(I.server&&!I.bot&&!I.officialApp,()=>l`<span class="discord-application-tag">Server</span>`)}
			${O(I.officialApp&&!I.server&&!I.bot,()=>l`<span class="discord-application-tag">${Se()}OFFICIAL</span>`)}
		`;return l`${O(this.compactMode||this.deleted,()=>l`<div class="discord-reply-badge">${qi()}</div>`,()=>l`<img class="discord-replied-message-avatar" src="${W(I.avatar)}" alt="${W(I.author)}" />`)}
		${O(this.deleted,()=>l`<div class="discord-replied-deleted-message-content"><em>Original message was deleted</em></div>`,()=>l`${At}
					<span class="discord-replied-message-username" style=${qe({color:I.roleColor})}
						>${O(this.mentions,()=>"@")}${I.author}</span
					>
					${O(I.clanIcon&&I.clanTag&&I.clanTag?.length>0,()=>l`<span class="discord-clan-tag">
								${Ge==="string"?l`<img
											srcset=${W(Ge)}
											alt=${W(ft)}
											width="12"
											height="12"
											draggable="false"
										/>`:Ge}
								<span>${ft}</span>
							</span>`)}
					<!-- display: inline -->
					<div class="discord-replied-message-content"
						><slot></slot>${O(this.edited,()=>l`<span class="discord-message-edited">(edited)</span>`)}</div
					>
					${O(this.command,()=>Fi({class:"discord-replied-message-content-icon"}),()=>O(this.attachment,()=>Ui({class:"discord-replied-message-content-icon"})))}`)}`}constructor(){super(...arguments),F(this,dt)}static{F(t,s)}};return mt=t})();var pr=w`
	<path d="M4 0L0 4V8L4 12L8 8V4L4 0ZM7 7.59L4 10.59L1 7.59V4.41L4 1.41L7 4.41V7.59Z" fill="currentColor" />
	<path d="M2 4.83V7.17L4 9.17L6 7.17V4.83L4 2.83L2 4.83Z" fill="currentColor" />
`;function Zi(i={}){return l`<svg ${H(i)} aria-hidden="false" width="24" height="24" viewBox="0 0 8 12">${pr}</svg>`}var ur=w`
	<path
		fill="#3ba55c"
		fill-rule="evenodd"
		d="M17.7163041 15.36645368c-.0190957.02699568-1.9039523 2.6680735-2.9957762 2.63320406-3.0676659-.09785935-6.6733809-3.07188394-9.15694343-5.548738C3.08002193 9.9740657.09772497 6.3791404 0 3.3061316v-.024746C0 2.2060575 2.61386252.3152347 2.64082114.2972376c.7110335-.4971705 1.4917101-.3149497 1.80959713.1372281.19320342.2744561 2.19712724 3.2811005 2.42290565 3.6489167.09884826.1608492.14714912.3554431.14714912.5702838 0 .2744561-.07975258.5770327-.23701117.8751101-.1527655.2902036-.65262318 1.1664385-.89862055 1.594995.2673396.3768148.94804468 1.26429792 2.351016 2.66357424 1.39173858 1.39027775 2.28923588 2.07641807 2.67002628 2.34187563.4302146-.2452108 1.3086162-.74238132 1.5972981-.89423205.5447887-.28682915 1.0907006-.31944893 1.4568885-.08661115.3459689.2182151 3.3383754 2.21027167 3.6225641 2.41611376.2695862.19234426.4144887.5399137.4144887.91672846 0 .2969525-.089862.61190215-.2808189.88523346"
	/>
`;function Wi(i={}){return l`<svg ${H(i)} aria-hidden="false" width="18" height="18" viewBox="0 0 18 18">${ur}</svg>`}var gr=w`
	<g fill="none" fill-rule="evenodd">
		<path
			fill="#99AAB5"
			d="M0 14.25V18h3.75L14.81 6.94l-3.75-3.75L0 14.25zM17.71 4.04c.39-.39.39-1.02 0-1.41L15.37.29c-.39-.39-1.02-.39-1.41 0l-1.83 1.83 3.75 3.75 1.83-1.83z"
		/>
		<path d="M0 0h18v18H0" />
	</g>
`;function Gi(i={}){return l`<svg ${H(i)} aria-hidden="false" width="18" height="18" viewBox="0 0 18 18">${gr}</svg>`}var zr=w`
	<g fill="none" fill-rule="evenodd">
		<path d="M0 0h18v18H0z" />
		<path
			fill="#99AAB5"
			d="M3.2765961.00034226C6.344262.0982016 9.949977 3.0722262 12.43353953 5.54908026c2.48356254 2.47685405 5.4658595 6.07177934 5.56358447 9.14478814 0 1.1000741-2.61386252 2.9908969-2.64082114 3.008894-.7110335.4971705-1.4917101.3149497-1.80959713-.1372281-.19320342-.2744561-2.19712724-3.2811005-2.42290565-3.6489167-.09884826-.1608492-.14714912-.3554431-.14714912-.5702838 0-.2744561.07975258-.5770327.23701117-.8751101.1527655-.2902036.65262318-1.1664385.89862055-1.594995-.2673396-.3768148-.94804468-1.26429792-2.351016-2.66357424C8.3695281 6.8223767 7.4720308 6.1362364 7.0912404 5.87077883c-.4302146.2452108-1.3086162.74238132-1.5972981.89423205-.5447887.28682915-1.0907006.31944893-1.4568885.08661115C3.6910849 6.63340693.6986784 4.64135036.4144897 4.43550827.1449035 4.243164.000001 3.89559457.000001 3.5187798c0-.29695252.089862-.61190217.2808189-.88523348.0190957-.02699568 1.9039523-2.6680735 2.9957762-2.63320406z"
		/>
	</g>
`;function Ki(i={}){return l`<svg ${H(i)} aria-hidden="false" width="18" height="18" viewBox="0 0 18 18">${zr}</svg>`}var _r=w`
	<path
		d="m16.908 8.39684-8.29587-8.295827-1.18584 1.184157 1.18584 1.18584-4.14834 4.1475v.00167l-1.18583-1.18583-1.185 1.18583 3.55583 3.55502-4.740831 4.74 1.185001 1.185 4.74083-4.74 3.55581 3.555 1.185-1.185-1.185-1.185 4.1475-4.14836h.0009l1.185 1.185z"
		fill="#b9bbbe"
	/>
`;function Ji(i={}){return l`<svg ${H(i)} aria-hidden="false" width="18" height="18" viewBox="0 0 18 18">${_r}</svg>`}var br=w`
	<path
		fill="#b9bbbe"
		fill-rule="evenodd"
		d="M1.575 9a2.25 2.25 0 0 0 0 3.18l.345.345c.128.128.323.15.488.075a2.25 2.25 0 0 1 3 3 .43.43 0 0 0 .06.48l.352.345a2.25 2.25 0 0 0 3.18 0l5.077-5.077a.75.75 0 0 1 1.02-1.02L16.425 9a2.25 2.25 0 0 0 0-3.18l-.345-.352a.42.42 0 0 0-.488-.06 2.25 2.25 0 0 1-3-3 .42.42 0 0 0-.068-.488l-.345-.345a2.25 2.25 0 0 0-3.18 0L7.671 2.903a.75.75 0 0 1-1.02 1.02zm7.508-4.725a.75.75 0 1 0-1.057 1.05l.517.525A.75.75 0 1 0 9.6 4.785l-.517-.525Zm2.063 2.063a.75.75 0 1 0-1.057 1.057l.517.525a.75.75 0 0 0 1.057-1.065l-.517-.525Zm2.063 2.063a.75.75 0 0 0-1.057 1.057l.517.525a.75.75 0 0 0 1.057-1.065l-.517-.525Z"
		clip-rule="evenodd"
	/>
`;function Qi(i={}){return l`<svg ${H(i)} aria-hidden="false" width="18" height="18" viewBox="0 0 18 18">${br}</svg>`}var yr=w`
	<path
		d="M10 0C4.486 0 0 4.486 0 10C0 15.515 4.486 20 10 20C15.514 20 20 15.515 20 10C20 4.486 15.514 0 10 0ZM9 4H11V11H9V4ZM10 15.25C9.31 15.25 8.75 14.691 8.75 14C8.75 13.31 9.31 12.75 10 12.75C10.69 12.75 11.25 13.31 11.25 14C11.25 14.691 10.69 15.25 10 15.25Z"
		fill-rule="evenodd"
		clip-rule="evenodd"
		fill="currentColor"
	/>
`;function Xi(i={}){return l`<svg ${H(i)} aria-hidden="false" width="20" height="20" viewBox="0 0 20 20">${yr}</svg>`}var Mr=w`
	<path
		xmlns="http://www.w3.org/2000/svg"
		d="M18.4 4L12 10.4L5.6 4L4 5.6L10.4 12L4 18.4L5.6 20L12 13.6L18.4 20L20 18.4L13.6 12L20 5.6L18.4 4Z"
		fill="#ed4245"
	/>
`;function Yi(i={}){return l`<svg ${H(i)} aria-hidden="false" width="20" height="20" viewBox="0 0 20 20">${Mr}</svg>`}var xr=w`
	<path
		fill="currentColor"
		d="M5.43309 21C5.35842 21 5.30189 20.9325 5.31494 20.859L5.99991 17H2.14274C2.06819 17 2.01168 16.9327 2.02453 16.8593L2.33253 15.0993C2.34258 15.0419 2.39244 15 2.45074 15H6.34991L7.40991 9H3.55274C3.47819 9 3.42168 8.93274 3.43453 8.85931L3.74253 7.09931C3.75258 7.04189 3.80244 7 3.86074 7H7.75991L8.45234 3.09903C8.46251 3.04174 8.51231 3 8.57049 3H10.3267C10.4014 3 10.4579 3.06746 10.4449 3.14097L9.75991 7H15.7599L16.4523 3.09903C16.4625 3.04174 16.5123 3 16.5705 3H18.3267C18.4014 3 18.4579 3.06746 18.4449 3.14097L17.7599 7H21.6171C21.6916 7 21.7481 7.06725 21.7353 7.14069L21.4273 8.90069C21.4172 8.95811 21.3674 9 21.3091 9H17.4099L17.0495 11.04H15.05L15.4104 9H9.41035L8.35035 15H10.5599V17H7.99991L7.30749 20.901C7.29732 20.9583 7.24752 21 7.18934 21H5.43309Z"
	/>
	<path
		fill="currentColor"
		d="M13.4399 12.96C12.9097 12.96 12.4799 13.3898 12.4799 13.92V20.2213C12.4799 20.7515 12.9097 21.1813 13.4399 21.1813H14.3999C14.5325 21.1813 14.6399 21.2887 14.6399 21.4213V23.4597C14.6399 23.6677 14.8865 23.7773 15.0408 23.6378L17.4858 21.4289C17.6622 21.2695 17.8916 21.1813 18.1294 21.1813H22.5599C23.0901 21.1813 23.5199 20.7515 23.5199 20.2213V13.92C23.5199 13.3898 23.0901 12.96 22.5599 12.96H13.4399Z"
	/>
`;function es(i={}){return l`<svg ${H(i)} aria-hidden="false" width="24" height="24" viewBox="0 0 24 24">${xr}</svg>`}var wr=w`
	<g fill="none" fill-rule="evenodd">
		<path d="M18 0H0v18h18z" />
		<path fill="#3ba55c" d="M0 8h14.2l-3.6-3.6L12 3l6 6-6 6-1.4-1.4 3.6-3.6H0" />
	</g>
`;function ts(i={}){return l`<svg ${H(i)} aria-hidden="false" width="18" height="18" viewBox="0 0 18 18">${wr}</svg>`}var Hr=w`
	<g fill="none" fill-rule="evenodd" stroke="none" stroke-width="1">
		<path d="M18 0H0v18h18z" />
		<path fill="#ed4245" d="M3.8 8l3.6-3.6L6 3 0 9l6 6 1.4-1.4L3.8 10H18V8" />
	</g>
`;function is(i={}){return l`<svg ${H(i)} aria-hidden="false" width="18" height="18" viewBox="0 0 18 18">${Hr}</svg>`}var et=function(i,e,s,t,a,h){function r(p){if(p!==void 0&&typeof p!="function")throw new TypeError("Function expected");return p}for(var c=t.kind,u=c==="getter"?"get":c==="setter"?"set":"value",v=!e&&i?t.static?i:i.prototype:null,n=e||(v?Object.getOwnPropertyDescriptor(v,t.name):{}),o,M=!1,_=s.length-1;_>=0;_--){var z={};for(var f in t)z[f]=f==="access"?{}:t[f];for(var f in t.access)z.access[f]=t.access[f];z.addInitializer=function(p){if(M)throw new TypeError("Cannot add initializers after decoration has completed");h.push(r(p||null))};var d=(0,s[_])(c==="accessor"?{get:n.get,set:n.set}:n[u],z);if(c==="accessor"){if(d===void 0)continue;if(d===null||typeof d!="object")throw new TypeError("Object expected");(o=r(d.get))&&(n.get=o),(o=r(d.set))&&(n.set=o),(o=r(d.init))&&a.unshift(o)}else(o=r(d))&&(c==="field"?a.unshift(o):n[u]=o)}v&&Object.defineProperty(v,t.name,n),M=!0},He=function(i,e,s){for(var t=arguments.length>2,a=0;a<e.length;a++)s=t?e[a].call(i,s):e[a].call(i);return t?s:void 0},Xs=(()=>{let i=[K("discord-system-message")],e,s=[],t,a=q,h,r=[],c=[],u,v=[],n=[],o,M=[],_=[],z,f=[],d=[],p,j=[],E=[];var N=class extends a{static{t=this}static{let $=typeof Symbol=="function"&&Symbol.metadata?Object.create(a[Symbol.metadata]??null):void 0;h=[g({type:String})],u=[g({reflect:!0,attribute:"type"})],o=[g({type:Boolean,reflect:!0,attribute:"channel-name"})],z=[g({type:Boolean,reflect:!0,attribute:"has-thread"})],p=[Y({context:ie}),g({type:Boolean,reflect:!0,attribute:"light-theme"})],et(this,null,h,{kind:"accessor",name:"timestamp",static:!1,private:!1,access:{has:y=>"timestamp"in y,get:y=>y.timestamp,set:(y,P)=>{y.timestamp=P}},metadata:$},r,c),et(this,null,u,{kind:"accessor",name:"type",static:!1,private:!1,access:{has:y=>"type"in y,get:y=>y.type,set:(y,P)=>{y.type=P}},metadata:$},v,n),et(this,null,o,{kind:"accessor",name:"channelName",static:!1,private:!1,access:{has:y=>"channelName"in y,get:y=>y.channelName,set:(y,P)=>{y.channelName=P}},metadata:$},M,_),et(this,null,z,{kind:"accessor",name:"hasThread",static:!1,private:!1,access:{has:y=>"hasThread"in y,get:y=>y.hasThread,set:(y,P)=>{y.hasThread=P}},metadata:$},f,d),et(this,null,p,{kind:"accessor",name:"lightTheme",static:!1,private:!1,access:{has:y=>"lightTheme"in y,get:y=>y.lightTheme,set:(y,P)=>{y.lightTheme=P}},metadata:$},j,E),et(null,e={value:t},i,{kind:"class",name:t.name,metadata:$},null,s),N=t=e.value,$&&Object.defineProperty(t,Symbol.metadata,{enumerable:!0,configurable:!0,writable:!0,value:$})}static styles=G`
		:host {
			color: #8e9297;
			display: flex;
			font-weight: 400;
			font-size: 1rem;
			font-family: 'gg sans', 'Noto Sans', Whitney, 'Helvetica Neue', Helvetica, Roboto, Arial, sans-serif;
			padding: 0px 1em;

			position: relative;
			word-wrap: break-word;
			-webkit-user-select: text;
			-moz-user-select: text;
			-ms-user-select: text;
			user-select: text;
			-webkit-box-flex: 0;
			-ms-flex: 0 0 auto;
			flex: 0 0 auto;
			padding-right: 0;
			min-height: 1.375rem;
			padding-right: 48px !important;
			margin-top: 1.0625rem;
		}

		:host([light-theme]) {
			color: #2e3338;
			border-color: #eceeef;
		}

		:host([channel-name]) {
			color: #fff;
		}

		:host([light-theme][channel-name]) {
			color: #060607;
		}

		:host([type='boost']) svg {
			color: #ff73fa;
		}

		:host([type='alert']) svg {
			color: #faa81a;
		}

		:host([type='error']) svg {
			color: #faa81a;
		}

		:host .discord-message-icon {
			margin-right: 16px;
			margin-top: 5px;
			min-width: 40px;
			display: flex;
			align-items: flex-start;
			justify-content: center;
		}

		:host .discord-message-icon svg {
			width: 16px;
			height: 16px;
		}

		:host .discord-message-timestamp {
			color: #72767d;
			font-size: 12px;
			margin-left: 3px;
		}

		:host([light-theme]) .discord-message-timestamp {
			color: #747f8d;
		}

		:host .discord-message-content {
			width: 100%;
			line-height: 160%;
			font-weight: normal;
			padding-top: 2px;
			display: flex;
			flex-direction: column;
		}

		:host .discord-message-content ::slotted(i) {
			font-style: normal;
			cursor: pointer;
			color: white;
			font-weight: 500;
		}

		:host([light-theme]) .discord-message-content ::slotted(i) {
			color: #060607;
		}

		:host .discord-message-content ::slotted(i:hover) {
			text-decoration: underline;
		}

		:host(:hover) {
			background-color: rgba(4, 4, 5, 0.07);
		}

		:host([light-theme]:hover) {
			background-color: rgba(6, 6, 7, 0.02);
		}

		:host([has-thread]):after {
			width: 2rem;
			left: 2.2rem;
			top: 1.75rem;
			border-left: 2px solid #4f545c !important;
			border-bottom: 2px solid #4f545c !important;
			border-bottom-left-radius: 8px !important;
			bottom: 29px;
			content: '';
			position: absolute;
		}

		:host([light-theme][has-thread]):after {
			border-color: #747f8d !important;
		}
	`;#e=He(this,r,new Date);get timestamp(){return this.#e}set timestamp($){this.#e=$}#t=(He(this,c),He(this,v,"join"));get type(){return this.#t}set type($){this.#t=$}#i=(He(this,n),He(this,M,!1));get channelName(){return this.#i}set channelName($){this.#i=$}#s=(He(this,_),He(this,f,!1));get hasThread(){return this.#s}set hasThread($){this.#s=$}#a=(He(this,d),He(this,j,!1));get lightTheme(){return this.#a}set lightTheme($){this.#a=$}checkType(){if(typeof this.type!="string")throw new TypeError("DiscordSystemMessage `type` prop must be a string.");if(!["join","leave","call","missed-call","boost","edit","thread","pin","alert","error","upgrade"].includes(this.type))throw new RangeError("DiscordSystemMessage `type` prop must be one of: 'join', 'leave', 'call', 'missed-call', 'boost', 'edit', 'thread', 'pin', 'alert', 'upgrade', 'error'")}willUpdate(){this.hasThread=Array.from(this.children).some($=>$.tagName.toLowerCase()==="discord-thread")}render(){return this.timestamp=De(this.timestamp),this.checkType(),l`<div class="discord-message-icon">
				${_i(this.type,[["join",()=>ts()],["leave",()=>is()],["call",()=>Wi()],["missed-call",()=>Ki()],["edit",()=>Gi()],["boost",()=>Zi()],["thread",()=>es()],["pin",()=>Ji()],["alert",()=>Xi()],["error",()=>Yi()],["upgrade",()=>Qi()]])}
			</div>
			<div class="discord-message-content">
				<span>
					<slot></slot>
					<span class="discord-message-timestamp">${this.timestamp}</span>
				</span>
				<slot name="reactions"></slot>
				<slot name="thread"></slot>
			</div>`}constructor(){super(...arguments),He(this,E)}static{He(t,s)}};return N=t})();var Ac={"discord-action-row":js,"discord-author-info":Rs,"discord-button":Us,"discord-embed":Fs,"discord-embed-description":qs,"discord-embed-footer":Zs,"discord-mention":Ws,"discord-message":Gs,"discord-messages":Ps,"discord-reaction":Ks,"discord-reactions":Js,"discord-reply":Qs,"discord-system-message":Xs,"discord-verified-author-tag":Ns};export{Ac as components};
/*! Bundled license information:

@lit/reactive-element/css-tag.js:
  (**
   * @license
   * Copyright 2019 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

@lit/reactive-element/reactive-element.js:
lit-html/lit-html.js:
lit-element/lit-element.js:
@lit/reactive-element/decorators/custom-element.js:
@lit/reactive-element/decorators/property.js:
@lit/reactive-element/decorators/state.js:
@lit/reactive-element/decorators/event-options.js:
@lit/reactive-element/decorators/base.js:
@lit/reactive-element/decorators/query.js:
@lit/reactive-element/decorators/query-all.js:
@lit/reactive-element/decorators/query-async.js:
@lit/reactive-element/decorators/query-assigned-nodes.js:
@lit/context/lib/decorators/provide.js:
lit-html/directive.js:
lit-html/async-directive.js:
  (**
   * @license
   * Copyright 2017 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

lit-html/is-server.js:
@lit/context/lib/decorators/consume.js:
  (**
   * @license
   * Copyright 2022 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

@lit/reactive-element/decorators/query-assigned-elements.js:
@lit/context/lib/context-request-event.js:
@lit/context/lib/create-context.js:
@lit/context/lib/controllers/context-consumer.js:
@lit/context/lib/value-notifier.js:
@lit/context/lib/controllers/context-provider.js:
@lit/context/lib/context-root.js:
lit-html/directives/when.js:
lit-html/directives/choose.js:
  (**
   * @license
   * Copyright 2021 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

lit-html/directive-helpers.js:
  (**
   * @license
   * Copyright 2020 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

lit-html/directives/if-defined.js:
lit-html/directives/class-map.js:
  (**
   * @license
   * Copyright 2018 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/
