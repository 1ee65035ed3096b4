namespace Gateway.Rest.Services;

/// <summary>A request feature: its client reads names by the OPC Foundation's OpenAPI document where Part 6 has others.
/// </summary>
internal sealed class ServiceDialect
{
    public static ServiceDialect OpenApi { get; } = new();
}
