using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Routing;

/// <summary>One operation of an API.</summary>
/// <param name="Method">GET, POST or PUT.</param>
/// <param name="Path">Below <c>/api/v1</c> or <c>/opcua</c>.</param>
/// <param name="Handle">Answers every request; throws only for internal errors.</param>
internal sealed record RestRoute(string Method, string Path, RequestDelegate Handle);
