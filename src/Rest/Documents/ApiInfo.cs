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

    public static ApiInfo OpcUa { get; } = new(
        "/opcua", "OPC UA Gateway: OPC UA services",
        "The services of OPC UA Part 4 as OPC UA Part 6 Annex G maps them to HTTP. The schemas are those of the " +
        "Compact encoding; the parameter `encoding` of Content-Type and Accept chooses another one (`verbose`, " +
        "`reversible`, `nonreversible`). An answer leaves out fields that have their default. What a service decided " +
        "is a response with status 200: look at `ResponseHeader.ServiceResult`, which is absent for Good.");
}
