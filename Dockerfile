# Build:  docker build -t gateway .                      for this machine's architecture
#         docker buildx build --platform linux/amd64,linux/arm64 -t <registry>/gateway --push .
# Run:    docker run --read-only --tmpfs /tmp -p 4840:4840 -p 8080:8080 -v gateway-pki:/data/pki -v gateway-pubsub:/data/pubsub gateway [--demo]
# Configure with -e OpcUa__EndpointUrls__0=opc.tcp://host:4840 … or a file mounted at /data/appsettings.json.
# tools/container.mjs takes the same steps where there is no Docker: docs/install.md.
# The digests are those of 10.0.400 and 10.0.11 in dotnet/versions, build-info/docker, commit 9c41427 (August 2026),
# and of Node.js 22.23.2 in docker-library/repo-info, commit 3179cb4 (September 2026): the index of all architectures.
# To renew one: docker buildx imagetools inspect <image>:<tag>.
# The console: files for the browser, the same on all architectures.
FROM --platform=$BUILDPLATFORM node:22-bookworm-slim@sha256:48e4b67d85f87bd551df43704e24d252f56cc5f8e9718841aace50f19948f0f9 AS console
WORKDIR /console
COPY src/Console .
RUN npm ci --no-audit --no-fund && npm run build

FROM --platform=$BUILDPLATFORM mcr.microsoft.com/dotnet/sdk:10.0@sha256:e1ffd2a92ae84c1291bc1b6887501f8af98e6331e7af6d4c8d37168c5e87a64c AS build
ARG BUILDARCH
ARG TARGETARCH
# Machine code for the start (AheadOfTime.targets) is the build machine's: images of other architectures have IL alone.
ARG AHEAD_OF_TIME=true
WORKDIR /source
COPY . .
COPY --from=console /console/dist src/Console/dist
# Without the analyzers: the build in .ci/run has them.
RUN [ "$TARGETARCH" = "$BUILDARCH" ] || AHEAD_OF_TIME=false; \
    dotnet publish src/Gateway -c Release -o /app --nologo -p:RunAnalyzers=false \
    -p:RestoreLockedMode=true -p:UseAppHost=false -p:BuildConsole=false -p:AheadOfTime=$AHEAD_OF_TIME
# The runtime image has no shell to make a folder with: it is made here and copied with its owner.
RUN mkdir -p /data/pki /data/pubsub

FROM mcr.microsoft.com/dotnet/aspnet:10.0-noble-chiseled@sha256:0839314d08bb65da369135389a5d8291f75ace587fbb0488f469eb92c62eef68
WORKDIR /data
COPY --from=build /app /app
COPY --from=build --chown=$APP_UID:$APP_UID /data /data
# Not root; a number, so that Kubernetes can check it (runAsNonRoot).
USER $APP_UID
# Http__Address: a published port does not reach the container's loopback.
ENV Pki__Path=/data/pki Log__Format=json Http__Address=any
VOLUME ["/data/pki", "/data/pubsub"]
EXPOSE 4840 8080
# No shell and no curl are there: the program asks itself. Kubernetes asks /livez instead (deploy/helm).
HEALTHCHECK --interval=30s --timeout=10s --start-period=20s CMD ["dotnet", "/app/Gateway.Gateway.dll", "health"]
# SIGTERM announces the shutdown and ends within Shutdown:GraceSeconds (10 s).
STOPSIGNAL SIGTERM
ENTRYPOINT ["dotnet", "/app/Gateway.Gateway.dll"]
