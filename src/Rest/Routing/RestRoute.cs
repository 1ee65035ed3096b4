using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Routing;

/// <summary>One operation of an API.</summary>
/// <param name="Method">GET, POST, PUT or DELETE.</param>
/// <param name="Path">Below <c>/api/v1</c> or <c>/opcua</c>.</param>
/// <param name="Handle">Answers it, whatever happens but a fault of ours.</param>
internal sealed record RestRoute(string Method, string Path, RequestDelegate Handle)
{
    /// <summary>One, or more where the path holds several; a test fails where there is none.</summary>
    public IReadOnlyList<ApiOperation> Operations { get; init; } = [];
}
