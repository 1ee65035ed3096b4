using Microsoft.AspNetCore.Authorization;

namespace Gateway.Host.Http;

/// <summary>The user check of HTTP: an endpoint or a group only needs <c>RequireUser</c>. The user is in
/// <c>HttpContext.Features.Get&lt;UserIdentity&gt;()</c>, and its roles are also role claims.</summary>
internal static class UserAccess
{
    public const string Scheme = "Basic";

    private static readonly AuthorizationPolicy AnyUser =
        new AuthorizationPolicyBuilder(Scheme).RequireAuthenticatedUser().Build();

    public static void AddUserAccess(this IServiceCollection services)
    {
        services.AddAuthenticationCore(options => options.AddScheme<BasicAuthenticationHandler>(Scheme, null));
        services.AddAuthorization();
        services.AddTransient<BasicAuthenticationHandler>();
    }

    /// <summary>Any configured user, whatever its roles. Never the anonymous user, except on loopback with
    /// <c>--demo</c>.</summary>
    public static TBuilder RequireUser<TBuilder>(this TBuilder endpoints)
        where TBuilder : IEndpointConventionBuilder => endpoints.RequireAuthorization(AnyUser);
}
