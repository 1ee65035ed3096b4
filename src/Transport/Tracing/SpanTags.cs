namespace Gateway.Transport.Tracing;

/// <summary>The attributes of spans. Those of HTTP and of addresses have OpenTelemetry's names.</summary>
public static class SpanTags
{
    public const string Service = "opcua.service";
    public const string Status = "opcua.status";
    public const string Transport = "opcua.transport";
    public const string SecurityMode = "opcua.security_mode";
    public const string SecurityPolicy = "opcua.security_policy";
    public const string CloseReason = "opcua.close_reason";
    public const string RequestBytes = "opcua.request_bytes";
    public const string ClientAddress = "client.address";
    public const string ServerAddress = "server.address";
    public const string HttpMethod = "http.request.method";
    public const string HttpRoute = "http.route";
    public const string HttpStatus = "http.response.status_code";
    public const string UrlPath = "url.path";
    public const string UrlScheme = "url.scheme";
}
