namespace Gateway.Rest.Documents;

/// <summary>One of the two APIs.</summary>
/// <param name="Root">The path before all of its own.</param>
/// <param name="Title">Of the document.</param>
/// <param name="Description">In CommonMark.</param>
internal sealed record ApiInfo(string Root, string Title, string Description)
{
    public static ApiInfo Resource { get; } = new(
        "/api/v1", "OPC UA Gateway: resource API",
        "Read, write, watch, find and call nodes in JSON, and look at the gateway itself. Names are camelCase, times " +
        "are ISO 8601 in UTC. Integers of 64 bits are strings above 2^53. Errors are problem details (RFC 9457) with " +
        "a member `statusCode`.");
}
