# Build:  docker build -t gateway .
# Run:    docker run -p 4840:4840 -p 8080:8080 -v gateway-pki:/data/pki gateway [--demo]
# Configure with -e OpcUa__EndpointUrls__0=opc.tcp://host:4840 … or a file mounted at /data/appsettings.json.
FROM mcr.microsoft.com/dotnet/sdk:10.0 AS build
WORKDIR /source
COPY . .
RUN dotnet publish src/Gateway -c Release -o /app --nologo -p:UseAppHost=false
# The runtime image has no shell to make a folder with: it is made here and copied with its owner.
RUN mkdir -p /data/pki

FROM mcr.microsoft.com/dotnet/aspnet:10.0-noble-chiseled
WORKDIR /data
COPY --from=build /app /app
COPY --from=build --chown=$APP_UID:$APP_UID /data /data
# Not root; a number, so that Kubernetes can check it (runAsNonRoot).
USER $APP_UID
ENV Pki__Path=/data/pki Log__Format=json
VOLUME /data/pki
EXPOSE 4840 8080
# SIGTERM announces the shutdown and ends within Shutdown:GraceSeconds (10 s).
STOPSIGNAL SIGTERM
ENTRYPOINT ["dotnet", "/app/Gateway.Gateway.dll"]
