# One way to do each thing; CI calls the same targets (.ci/run).

SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Go modules of this repository: the product's, those that keep test clients and
# benchmark peers out of it, and those that keep Bubble Tea and SQLite out.
UAT_MODULES := uat/teaui examples/jdo
MODULES     := . $(patsubst %/go.mod,%,$(wildcard */go.mod)) $(UAT_MODULES)

GOFUMPT     := go run mvdan.cc/gofumpt@v0.12.0
STATICCHECK := go run honnef.co/go/tools/cmd/staticcheck@v0.8.2
GORELEASER  := go run github.com/goreleaser/goreleaser/v2@v2.15.4

# The nearest tag with the commits since; without a tag, the commit.
DESCRIBED := $(shell git describe --tags --match 'v*' --dirty 2>/dev/null || echo "v0.0.0-g$$(git rev-parse --short HEAD 2>/dev/null || echo unknown)")
VERSION   ?= $(DESCRIBED:v%=%)

ADDRESS    ?= 127.0.0.1:8080
LOOK       ?= build/look
# A count and not a time: at the end of a time, go test may take an input that is
# still running for a failure.
FUZZTIME   ?= 10000x
SOAK       ?= 1m
BENCHFLAGS ?= -write

.PHONY: help browser setup assets build serve test check format lint tidy race faults fuzz corpus bench bench-print bench-gateway bench-mermaid e2e soak look release-check release release-files

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: assets ## Fetch all that building, testing and checking need; says what is missing
	@for module in $(MODULES); do (cd $$module && go mod download); done
	@$(GOFUMPT) -version && $(STATICCHECK) -version
	@if command -v npm >/dev/null; then \
	  cd e2e && npm ci --loglevel=error; \
	else \
	  echo "missing: npm (Node 20 or newer); make e2e skips the JavaScript clients, make bench the Node peers"; \
	fi
	@command -v $$(go env CC | awk '{print $$1}') >/dev/null || \
	  echo "missing: a C compiler; the product needs none, but the race detector in make check does"

GO_BUILD := CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X main.version=$(VERSION)'

# What the engines are made from. The assets are not committed; without npm the
# binary is built without them, and says so when it is to draw.
ENGINE_SOURCES := engines/package-lock.json $(shell find engines/cmd/assets engines/internal internal/jsengine -name '*.go' -o -name '*.js')
ENGINES        := engines/assets/mermaid.bundle

assets: $(ENGINES) ## Build the diagram engines that are embedded, if they are not there

$(ENGINES): $(ENGINE_SOURCES)
	@if command -v npm >/dev/null; then go generate ./engines && touch $@; \
	else echo "missing: npm (Node 20 or newer); webodar is built without its diagram engines"; fi

build: assets ## Build bin/webodar
	$(GO_BUILD) -o bin/ ./cmd/webodar

serve: build ## Serve HTTP on 127.0.0.1:8080 (ADDRESS=… for another)
	bin/webodar serve --http $(ADDRESS)

test: assets ## Run the unit tests: the inner loop, no network
	CGO_ENABLED=0 go test ./...
	@for module in $(UAT_MODULES); do (cd $$module && CGO_ENABLED=0 go test -short ./...); done

check: format lint tidy race faults ## Check format, vet, staticcheck, go.mod, races

format:
	@unformatted=$$($(GOFUMPT) -l .); \
	if [ -n "$$unformatted" ]; then echo "not formatted (run: $(GOFUMPT) -w .):"; echo "$$unformatted"; exit 1; fi

lint:
	@for module in $(MODULES); do \
	  echo "vet and staticcheck: $$module"; \
	  (cd $$module && go vet ./... && $(STATICCHECK) ./...); \
	done

tidy:
	@for module in $(MODULES); do (cd $$module && go mod tidy -diff); done

# The transpiled engine is 60 times slower with the race detector, and has nothing
# for it to find.
race:
	CGO_ENABLED=1 go test -race -gcflags='modernc.org/...=-race=false -d=checkptr=0' ./...
	@for module in $(UAT_MODULES); do \
	  (cd $$module && CGO_ENABLED=1 go test -short -race -gcflags='modernc.org/...=-race=false -d=checkptr=0' ./...); \
	done

# Each of jdo's seeded faults has to be found by its scenario.
faults:
	cd examples/jdo && go test -count=1 -run TestFaults .

# Each target by itself, as go test wants it. Not a part of check, whose result must
# not depend on luck; the seeds, and all that was ever found, are run by test.
fuzz: ## Fuzz every target (FUZZTIME=100000x for longer)
	@for module in . $(UAT_MODULES); do ( \
	  cd $$module; \
	  for package in $$(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./...); do \
	    for target in $$(go test -list '^Fuzz' $$package | grep '^Fuzz' || true); do \
	      go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x $$package; \
	    done; \
	  done ); \
	done

corpus: ## Run the tests over ../shared/corpus (WEBODAR_CORPUS=required: fail without it)
	WEBODAR_CORPUS=$${WEBODAR_CORPUS-optional} go test -count=1 -run Corpus ./...
	cd e2e && WEBODAR_CORPUS=$${WEBODAR_CORPUS-optional} go test -count=1 -run Corpus

# Without a package pattern, go test shows what it skips and why.
e2e: ## Drive the real binary with real clients
	cd e2e && go test -count=1 -timeout 10m

# Ctrl-C ends it, with what was seen until then.
soak: ## Call a gateway for a long time while what it mounts fails (SOAK=30m)
	cd e2e && WEBODAR_SOAK=$(SOAK) go test -count=1 -v -timeout 0 -run '^TestSoak$$'

# Chromium and what reads PDFs: for the tests that look at pictures, which are skipped
# without. Needs a Debian and root.
browser: ## Install the programs that pictures are compared with
	@missing=""; for program in chromium pdftoppm qpdf; do command -v $$program >/dev/null || missing="$$missing $$program"; done; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium poppler-utils qpdf >/dev/null; \
	else echo "missing:$$missing (packages chromium, poppler-utils, qpdf); tests that look at pictures are skipped"; fi

look: ## Put pictures of all types beside Chromium's own (LOOK=folder, LOOK_AT=*.mmd)
	mkdir -p $(LOOK)
	cd e2e && WEBODAR_LOOK=$(abspath $(LOOK)) WEBODAR_LOOK_AT='$(if $(LOOK_AT),$(abspath $(LOOK_AT)))' go test -count=1 -run '^TestLook$$'

bench: ## Measure against the peers and write docs/BENCHMARKS.md
	cd bench && go run ./cmd/bench $(BENCHFLAGS)

bench-gateway: ## Measure what the gateway costs and write docs/GATEWAY-BENCHMARKS.md
	cd bench && go run ./cmd/gateway $(BENCHFLAGS)

bench-print: ## Measure drawing from the shell against mermaid-cli; writes docs/BENCHMARKS-PRINT.md
	cd bench && go run ./cmd/benchprint $(BENCHFLAGS)

bench-mermaid: assets ## Measure Mermaid against Chromium and mermaid-cli; writes docs/MERMAID-BENCHMARKS.md
	cd bench && go run ./cmd/mermaid $(BENCHFLAGS)

release-check: ## Check the release configuration and build a snapshot into dist/
	$(GORELEASER) check
	$(GORELEASER) release --snapshot --skip=publish,sbom,ko,docker,homebrew,announce --clean

release: ## Publish the release of the tag that is checked out (needs GITHUB_TOKEN)
	$(GORELEASER) release --clean

# Completions and man pages, for .goreleaser.yaml, which calls this. Dated by
# the commit, so that they can be reproduced.
release-files: export SOURCE_DATE_EPOCH = $(shell git log -1 --format=%ct)
release-files:
	rm -rf build && mkdir -p build/completions
	$(GO_BUILD) -o build/ ./cmd/webodar
	for shell in bash zsh fish powershell; do build/webodar completion $$shell >build/completions/webodar.$${shell/powershell/ps1}; done
	build/webodar man build/man
