namespace Gateway.Rest.Routing;

/// <summary>One way to prove who asks, as a Security Scheme Object. The host registers those that it takes.</summary>
/// <param name="Name">In the documents.</param>
/// <param name="Json">The object.</param>
public sealed record ApiSecurity(string Name, string Json)
{
    public static ApiSecurity Basic { get; } = new("basic", """{"type":"http","scheme":"basic"}""");

    public static ApiSecurity Bearer { get; } = new(
        "bearer", """{"type":"http","scheme":"bearer","bearerFormat":"JWT"}""");

    /// <summary>A client certificate of TLS.</summary>
    public static ApiSecurity MutualTls { get; } = new("mutualTls", """{"type":"mutualTLS"}""");
}
