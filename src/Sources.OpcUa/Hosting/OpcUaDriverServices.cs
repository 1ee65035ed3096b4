using Gateway.Events.Conditions;
using Gateway.Sources.OpcUa.Probing;
using Gateway.Sources.OpcUa.Reverse;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;
using Microsoft.Extensions.DependencyInjection;

namespace Gateway.Sources.OpcUa.Hosting;

/// <summary>Registers the driver of upstream OPC UA servers.</summary>
public static class OpcUaDriverServices
{
    /// <summary>Needs <see cref="UpstreamOptions"/>[], <see cref="UpstreamLimits"/>,
    /// <see cref="ReverseConnectOptions"/>, the transport and the PKI.</summary>
    public static IServiceCollection AddOpcUaDriver(this IServiceCollection services) => services
        .AddSingleton(static of => new SourceDriverRegistration(OpcUaDriver.DriverName, context => new OpcUaDriver(
            of.GetRequiredService<UpstreamOptions[]>(),
            of.GetRequiredService<UpstreamLimits>(),
            of.GetRequiredService<OwnCertificate>(),
            of.GetRequiredService<CertificateValidators>(),
            of.GetRequiredService<PkiStore>(),
            of.GetRequiredService<TransportContext>(),
            of.GetRequiredService<PkiOptions>().Path,
            of.GetRequiredService<ApplicationCertificateOptions>().ApplicationName,
            context,
            of.GetRequiredService<MirroredConditions>(),
            of.GetRequiredService<ReverseConnectOptions>())))
        .AddSingleton<UpstreamProbe>();
}
