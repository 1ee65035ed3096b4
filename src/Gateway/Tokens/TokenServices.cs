using Gateway.Rest.Routing;
using Gateway.Server;
using Gateway.Server.Users;
using Gateway.Transport.Hosting;

namespace Gateway.Host.Tokens;

/// <summary>Registers the check of tokens. Where <c>Jwt:Issuer</c> is not configured there are no keys, and every token
/// is refused.</summary>
internal static class TokenServices
{
    /// <summary>Needs <see cref="JwtOptions"/>, <see cref="TokenLimits"/>, the server's limits and the
    /// <see cref="TimeProvider"/>.</summary>
    public static IServiceCollection AddTokens(this IServiceCollection services, JwtOptions options)
    {
        services.AddSingleton<TokenCounters>().AddStarting<TokenCounters>(static counters => counters.Start());
        if (!options.IsOn)
            return services.AddSingleton<ITokenValidator>(NoTokens.Instance);
        if (options.KeysUrl is null)
            services.AddSingleton<ITokenKeys, FileTokenKeys>();
        else
            services.AddSingleton<ITokenKeys, UrlTokenKeys>();
        return services
            .AddSingleton(ApiSecurity.Bearer)
            .AddStarting<ITokenKeys>(static keys => keys.Start())
            .AddSingleton<RoleClaims>()
            .AddSingleton(static of => new KnownTokens(of.GetRequiredService<TokenLimits>().MaxKnownTokens))
            .AddSingleton<ITokenValidator>(static of => new JwtValidator(
                of.GetRequiredService<JwtOptions>(), of.GetRequiredService<ITokenKeys>(),
                of.GetRequiredService<KnownTokens>(), of.GetRequiredService<RoleClaims>(),
                of.GetRequiredService<TokenCounters>(), of.GetRequiredService<ServerLimits>(),
                of.GetRequiredService<TimeProvider>()));
    }
}
