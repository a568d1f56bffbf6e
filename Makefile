# Tsumugi. Everything here needs Go alone, except what its line says.

GO ?= go
.DEFAULT_GOAL := help

# Packages with goroutines of their own are tested a second time under the race detector. The list is the table of homes in
# shared/laws_code_test.go, which fails when the two differ.
RACE := ./shared/chat ./shared/command ./shared/queue ./shared/discord ./shared/provider/openai ./shared/seal ./shared/sim/discord ./shared/sim/cloud ./shared/telemetry ./shared/telemetry/xray

# The page in a browser.
BROWSER := TSUMUGI_BROWSER=1 $(GO) test -count=1 -p 1 -run 'InBrowser$$' ./shared/sim/discord ./shared/app/local

# Any of them will do; the test looks for them in this order.
BROWSERS := "$${CHROMIUM:-chromium}" chromium chromium-browser google-chrome google-chrome-stable
HAS_BROWSER := for b in $(BROWSERS); do command -v "$$b" >/dev/null && exit; done; exit 1

# Lambda runs one static binary, bootstrap, on arm64; the local program is for the machine it is built on.
LAMBDAS := $(filter-out local,$(notdir $(wildcard functions/*)))
LAMBDA := CGO_ENABLED=0 GOOS=linux GOARCH=arm64 $(GO) build -tags lambda.norpc -trimpath -ldflags="-s -w"

.PHONY: help run test browser check bench conform e2e-aws vectors golden page screenshots build template deploy upgrade ci

help: ## print these lines
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1	\2/p' Makefile

run: ## everything in one process on this machine; prints the address of its page
	@mkdir -p bin && $(GO) build -o bin/local ./functions/local && exec bin/local

# Four packages at a time, whatever the number of processors: some tests wait for processes to die and to recover.
test: ## all tests, then the packages with goroutines under the race detector
	$(GO) test -p 4 -timeout 20m ./...
	@if ! [ -f ../shared/discord-openapi-min.json ]; then \
		echo "make test: SKIPPED Discord's own description: ../shared/discord-openapi-min.json is not there; no request and no answer was checked against it"; \
	fi
	@if [ "$$($(GO) env CGO_ENABLED)" = 1 ]; then \
		echo "$(GO) test -race $(RACE), the stories and the hand-over of the relay"; \
		$(GO) test -p 4 -race $(RACE) && $(GO) test -race -run '^TestStories$$|^TestChainHandsOver' ./shared/app; \
	else \
		echo "make test: SKIPPED the race detector: it needs cgo, and CGO_ENABLED is not 1 (usually: no C compiler)"; \
	fi
	@echo "make test: the page in a browser is make browser"

browser: ## the page in a headless Chromium, which wants the machine for itself; says so where there is none
	@if ($(HAS_BROWSER)); then \
		echo "$(BROWSER)"; $(BROWSER) || { echo "make browser: a browser may stumble over a busy machine; once more"; $(BROWSER); }; \
	else \
		echo "make browser: SKIPPED the page in a browser: there is no Chromium (install one, or name it in CHROMIUM)"; \
	fi

check: ## formatting, vet, tidy go.mod, the laws; staticcheck too where it is installed
	@bad="$$(gofmt -l functions shared)"; if [ -n "$$bad" ]; then echo "not formatted (run gofmt -w):"; echo "$$bad"; exit 1; fi
	$(GO) vet ./...
	$(GO) mod tidy -diff
	$(GO) test -count=1 ./shared
	@if command -v staticcheck >/dev/null; then echo staticcheck ./...; staticcheck ./...; \
	else echo "make check: staticcheck is not installed; its checks were left out"; fi

bench: ## measure; prints lines "bench NAME VALUE UNIT"
	@out="$$(TSUMUGI_BENCH=1 $(GO) test -count=1 -timeout 40m -v -run '^TestBench' ./shared/app ./shared/app/local)" || { echo "$$out"; exit 1; }; \
	echo "$$out" | grep '^ *bench ' || { echo "$$out"; echo "make bench: no line was printed"; exit 1; }
	@bash .ci/e2e-aws bench

conform: ## the suites of the contracts against stand-ins of DynamoDB (npm), SQS and KMS (python3 with moto); discord.js (npm) as client of the simulated Discord
	@bash .ci/conform

e2e-aws: ## real bootstraps, DynamoDB (npm) and SQS (python3 with moto) on loopback: stories, crashes, throttling, all of it at once
	@bash .ci/e2e-aws

vectors: ## (later) replay the prompt pipeline's vectors
	@echo "make vectors: the vectors come with the full prompt pipeline; this version has only its thin first form"; exit 2

golden: ## rewrite the golden files; review the diff
	$(GO) test ./shared/prompt ./shared/provider/openai ./shared/command -update
	$(GO) test ./shared -run TestReadmeListsTheCommands -update
	$(GO) test ./shared/app -run TestEveryRefusalHasItsOutcome -update

page: ## bundle the components of the page's look again (needs npm); the result is committed
	@command -v npm >/dev/null || { echo "make page: npm is not installed; nothing was changed"; exit 2; }
	@bash shared/sim/discord/page/bundle/make.sh

screenshots: ## draw the pictures of the README anew (needs Chromium); look at them
	@($(HAS_BROWSER)) || { echo "make screenshots: there is no Chromium (install one, or name it in CHROMIUM); the pictures are the old ones"; exit 2; }
	@TSUMUGI_SCREENSHOTS="$(CURDIR)/shared/sim/discord/page/screenshots" $(GO) test -count=1 -run '^TestFirstMinuteInBrowser$$' ./shared/app/local
	@ls -l shared/sim/discord/page/screenshots

build: ## every deployable into bin/: Lambda binaries (linux, arm64) and the local program
	@mkdir -p bin
	@for f in $(LAMBDAS); do echo "bin/$$f/bootstrap"; $(LAMBDA) -o bin/$$f/bootstrap ./functions/$$f || exit 1; done
	@echo bin/local
	@CGO_ENABLED=0 $(GO) build -trimpath -ldflags="-s -w" -o bin/local ./functions/local

# What sam build calls for each function of template.yaml, by its logical id: build-Relay builds functions/relay.
build-%:
	@[ -n "$(ARTIFACTS_DIR)" ] || { echo "make $@ is for sam build; for people there is make build"; exit 2; }
	$(LAMBDA) -o "$(ARTIFACTS_DIR)/bootstrap" ./functions/$(shell echo $* | tr A-Z a-z)

template: ## hold template.yaml to cfn-lint and SAM's transform (Python), and build its functions as sam does
	@bash .ci/template

deploy: ## build and deploy to AWS with sam, which asks for every setting
	@command -v sam >/dev/null || { echo "make deploy: sam is not installed; the README says what deploying needs"; exit 2; }
	sam build && sam deploy --guided

upgrade: ## build and deploy again, with the settings that are there
	@command -v sam >/dev/null || { echo "make upgrade: sam is not installed; the README says what deploying needs"; exit 2; }
	@ls samconfig.* >/dev/null 2>&1 || { echo "make upgrade: there is no samconfig.toml, which make deploy leaves here: copy it from where you deployed, or run make deploy"; exit 2; }
	sam build && sam deploy

ci: ## what continuous integration runs
	@bash .ci/run
