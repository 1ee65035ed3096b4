using Gateway.Rest.Access;
using Gateway.Rest.Routing;

namespace Gateway.Host.Http;

/// <summary>The user check of HTTP: <c>RequireUser</c> on an endpoint or a group is all that a path needs. The user
/// stands in <c>HttpContext.Features.Get&lt;UserIdentity&gt;()</c>.</summary>
internal static class UserAccess
{
    public static void AddUserAccess(this IServiceCollection services) => services
        .AddSingleton<UserCheck>()
        .AddSingleton<IUserCheck>(static of => of.GetRequiredService<UserCheck>())
        .AddSingleton(ApiSecurity.Basic);

    /// <summary>Any user of the configuration, or of its authorization service with a role; never the anonymous one,
    /// but on loopback under <c>--demo</c>. The check is a part of what the endpoint does, so that no order of the
    /// pipeline can leave it out.</summary>
    public static TBuilder RequireUser<TBuilder>(this TBuilder endpoints)
        where TBuilder : IEndpointConventionBuilder
    {
        // At the end: by then an endpoint of the group has its own marks.
        endpoints.Finally(static endpoint => endpoint.RequestDelegate =
            endpoint.ApplicationServices.GetRequiredService<UserCheck>().Around(
                endpoint.RequestDelegate!, endpoint.Metadata.OfType<OptionalUser>().Any()));
        return endpoints;
    }
}
