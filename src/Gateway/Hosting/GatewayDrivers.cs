using Gateway.Host.Configuration;
using Gateway.Sources;
using Gateway.Sources.OpcUa;
using Gateway.Sources.Simulator;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;

namespace Gateway.Host.Hosting;

/// <summary>The drivers of the product by name, each with its options. In this order they are prepared and started,
/// and their fixed namespaces get their indexes.</summary>
internal static class GatewayDrivers
{
    public static IEnumerable<SourceDriverRegistration> Of(
        GatewaySettings settings, ApplicationCertificate certificate, ICertificateValidator servers,
        TransportContext transport)
    {
        if (settings.Simulator.Enabled)
            yield return PlantSimulator.Register(settings.Simulator);
        yield return new SourceDriverRegistration(OpcUaDriver.DriverName, context => new OpcUaDriver(
            settings.Upstreams, settings.UpstreamLimits, certificate, servers, transport, settings.PkiPath, context));
    }
}
