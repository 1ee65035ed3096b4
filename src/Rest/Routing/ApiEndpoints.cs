using Microsoft.AspNetCore.Builder;

namespace Gateway.Rest.Routing;

/// <summary>Describes endpoints that are no <see cref="RestRoute"/>.</summary>
public static class ApiEndpoints
{
    public static TBuilder Describe<TBuilder>(this TBuilder endpoint, ApiOperation operation)
        where TBuilder : IEndpointConventionBuilder => endpoint.WithMetadata(operation);
}
