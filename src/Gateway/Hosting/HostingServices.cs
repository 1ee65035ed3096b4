using Gateway.Admission;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;

namespace Gateway.Host.Hosting;

/// <summary>Registers the host's own parts.</summary>
internal static class HostingServices
{
    public static IServiceCollection AddStartReport(this IServiceCollection services) => services
        .AddSingleton<PkiLock>()
        .AddSingleton<StartReport>()
        .AddSingleton<CertificateExpiry>()
        .AddStarting<StartReport>(static report => report.Write())
        .AddStarting<CertificateExpiry>(static expiry => expiry.Start());

    public static IServiceCollection AddKnownCertificates(this IServiceCollection services) => services
        .AddSingleton(static of => new KnownCertificatesFile(
            of.GetRequiredService<PkiOptions>().Path, of.GetRequiredService<AdmissionControl>().Known,
            of.GetRequiredService<TimeProvider>(), of.GetRequiredService<ILogger<KnownCertificatesFile>>()))
        .AddStarting<KnownCertificatesFile>(static file => file.Start());

    public static IServiceCollection AddMemoryTrim(this IServiceCollection services) => services
        .AddSingleton<StateMemory>()
        .AddSingleton(static of => new MemoryTrim(
            of.GetRequiredService<TransportContext>().Budget, of.GetRequiredService<StateMemory>().EstimateBytes,
            of.GetRequiredService<TimeProvider>(), of.GetRequiredService<ILogger<MemoryTrim>>()))
        .AddStarting<MemoryTrim>(static trim => trim.Start());

    /// <summary>Last: its stop comes first.</summary>
    public static IServiceCollection AddLifetime(this IServiceCollection services) => services
        .AddHostedService<TrustListWatch>()
        .AddHostedService<GatewayLifetime>();
}
