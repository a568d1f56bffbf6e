package outbound

import "net/netip"

// elsewhere are the addresses that are not everybody's: IANA's registries of special-purpose addresses (IPv4 and IPv6), but for
// the few in them that are services of the internet itself; multicast; and what clouds keep for their machines.
var elsewhere = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),        // this network (RFC 791)
	netip.MustParsePrefix("10.0.0.0/8"),       // private (RFC 1918)
	netip.MustParsePrefix("100.64.0.0/10"),    // shared behind carriers (RFC 6598); Alibaba's metadata
	netip.MustParsePrefix("127.0.0.0/8"),      // loopback (RFC 1122)
	netip.MustParsePrefix("168.63.129.16/32"), // Azure's platform, for its machines alone
	netip.MustParsePrefix("169.254.0.0/16"),   // link-local (RFC 3927); metadata of AWS and others
	netip.MustParsePrefix("172.16.0.0/12"),    // private (RFC 1918)
	netip.MustParsePrefix("192.0.0.0/24"),     // protocol assignments (RFC 6890); Oracle's metadata
	netip.MustParsePrefix("192.0.2.0/24"),     // documentation (RFC 5737)
	netip.MustParsePrefix("192.88.99.0/24"),   // 6to4 relays (RFC 7526)
	netip.MustParsePrefix("192.168.0.0/16"),   // private (RFC 1918)
	netip.MustParsePrefix("198.18.0.0/15"),    // benchmarks (RFC 2544)
	netip.MustParsePrefix("198.51.100.0/24"),  // documentation (RFC 5737)
	netip.MustParsePrefix("203.0.113.0/24"),   // documentation (RFC 5737)
	netip.MustParsePrefix("224.0.0.0/4"),      // multicast (RFC 5771)
	netip.MustParsePrefix("240.0.0.0/4"),      // reserved (RFC 1112), and broadcast
	netip.MustParsePrefix("2001::/23"),        // protocol assignments (RFC 2928), Teredo among them (RFC 4380)
	netip.MustParsePrefix("2001:db8::/32"),    // documentation (RFC 3849)
	netip.MustParsePrefix("2002::/16"),        // 6to4 (RFC 3056): an IPv4 address, reached through whoever relays it
	netip.MustParsePrefix("3fff::/20"),        // documentation (RFC 9637)
}

var (
	// unicast is what IANA gives out of IPv6. All else is reserved, local (fc00::/7, fe80::/10, ::1), multicast, or an IPv4
	// address in disguise; fd00:ec2::254, where AWS has its metadata, is local.
	unicast = []netip.Prefix{netip.MustParsePrefix("2000::/3")}
	// nat64 is how machines without IPv4 reach it (RFC 6052): the last four bytes are what is reached. The prefix for local use,
	// 64:ff9b:1::/48, may mean anything.
	nat64 = []netip.Prefix{netip.MustParsePrefix("64:ff9b::/96")}
)

// public tells whether an address is on the public internet.
func public(ip netip.Addr) bool {
	if !ip.IsValid() || ip.Zone() != "" {
		return false
	}
	ip = ip.Unmap()
	if nat64[0].Contains(ip) {
		b := ip.As16()
		return public(netip.AddrFrom4([4]byte(b[12:])))
	}
	if ip.Is6() && !unicast[0].Contains(ip) {
		return false
	}
	for _, p := range elsewhere {
		if p.Contains(ip) {
			return false
		}
	}
	return true
}
