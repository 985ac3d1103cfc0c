# A static binary and nothing else, run as nobody.
#
#   docker build -t webodar .
#   docker run -e WEBODAR_TOKEN=… -p 8080:8080 webodar
#
# A container must listen on all its interfaces to be reached at all, so the
# server insists on WEBODAR_TOKEN. Callers that use another name than localhost
# need --allow-host as well:
#
#   docker run -e WEBODAR_TOKEN=… -e WEBODAR_ALLOW_HOST=diagrams.example.org -p 8080:8080 webodar
#
# MCP over stdio works too: docker run -i --rm webodar serve

# Cross-compiled on the machine that builds, whatever the image is for.
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG TARGETOS TARGETARCH VERSION=container
RUN apt-get update && apt-get install -y --no-install-recommends npm && go generate ./engines
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -ldflags "-s -w -X main.version=$VERSION" -o /webodar ./cmd/webodar

FROM scratch
COPY --from=build /webodar /webodar
COPY LICENSE /LICENSE
USER 65534:65534
EXPOSE 8080
ENTRYPOINT ["/webodar"]
CMD ["serve", "--http", "0.0.0.0:8080"]
