using Gateway.Rest.Routing;
using Microsoft.AspNetCore.Authorization;

namespace Gateway.Host.Http;

/// <summary>The user check of HTTP: <c>RequireUser</c> on an endpoint or a group is all that a path needs. The user
/// stands in <c>HttpContext.Features.Get&lt;UserIdentity&gt;()</c>, his roles also as role claims.</summary>
internal static class UserAccess
{
    public const string Scheme = "User";

    private static readonly AuthorizationPolicy AnyUser =
        new AuthorizationPolicyBuilder().RequireAuthenticatedUser().Build();

    public static void AddUserAccess(this IServiceCollection services)
    {
        services.AddAuthenticationCore(options =>
        {
            options.AddScheme<UserAuthenticationHandler>(Scheme, null);
            // A policy that names it would ask a second time, and merge both results for each request.
            options.DefaultScheme = Scheme;
        });
        services.AddAuthorization();
        services.AddTransient<UserAuthenticationHandler>();
        services.AddSingleton(ApiSecurity.Basic);
    }

    /// <summary>Any user of the configuration, or of its authorization service with a role; never the anonymous one,
    /// but on loopback under <c>--demo</c>.</summary>
    public static TBuilder RequireUser<TBuilder>(this TBuilder endpoints)
        where TBuilder : IEndpointConventionBuilder => endpoints.RequireAuthorization(AnyUser);
}
