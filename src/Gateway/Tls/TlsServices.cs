using Gateway.Rest.Routing;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;

namespace Gateway.Host.Tls;

/// <summary>Registers what HTTPS needs; nothing of it without a certificate.</summary>
internal static class TlsServices
{
    /// <summary>Needs <see cref="HttpLimits"/> and the <see cref="TimeProvider"/>.</summary>
    public static IServiceCollection AddTls(this IServiceCollection services, TlsOptions? options)
    {
        services.AddSingleton<TlsCounters>().AddStarting<TlsCounters>(static counters => counters.Start());
        return options is null
            ? services
            : services
                .AddSingleton(options)
                .AddSingleton(ApiSecurity.MutualTls)
                .AddSingleton<TlsPace>()
                .AddSingleton<TlsDoor>()
                .AddStarting<TlsDoor>(static door => door.Start());
    }
}
