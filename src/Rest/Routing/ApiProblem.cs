using Gateway.Codec.Types;

namespace Gateway.Rest.Routing;

/// <summary>A problem whose HTTP status or title its StatusCode alone does not say.</summary>
/// <param name="Http">The HTTP status.</param>
/// <param name="Title">The fixed sentence.</param>
/// <param name="Status">Bad.</param>
public sealed record ApiProblem(int Http, string Title, StatusCode Status);
