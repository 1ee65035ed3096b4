using Gateway.Interop.Browsers;
using Gateway.Interop.Deploy;
using Gateway.Interop.Faults;
using Gateway.Interop.Metrics;
using Gateway.Interop.OperatorConsole;
using Gateway.Interop.PubSub;

namespace Gateway.Interop.Scripts;

internal static class PeerRequirement
{
    /// <summary>Why node-opcua's tests do not run here; null where they must, although they may then fail.</summary>
    public static string? Reason => ReasonOf(PeerProgram.NodeOpcUa);

    /// <summary>CI installs every program but these: Debian has no Helm, a container no systemd, and not everybody is
    /// root. Without them, their tests are skipped there too.</summary>
    public static string? ReasonOf(PeerProgram program) =>
        Environment.GetEnvironmentVariable("CI") == "true" && !Optional.Contains(program)
            ? null
            : MissingOf(program);

    private static IReadOnlyList<PeerProgram> Optional { get; } =
        [PeerProgram.Helm, PeerProgram.Systemd, PeerProgram.Container];

    public static void Demand() => Demand(PeerProgram.NodeOpcUa);

    public static void Demand(PeerProgram program) =>
        Assert.True(MissingOf(program) is null, MissingOf(program));

    private static string? MissingOf(PeerProgram program) => program switch
    {
        PeerProgram.Prometheus => PrometheusProgram.Missing,
        PeerProgram.Chromium => BrowserProgram.Missing,
        PeerProgram.Mount => MountedGateway.Missing,
        PeerProgram.OpenApi => PeerFolder.OpenApiMissing,
        PeerProgram.Helm => Chart.Missing,
        PeerProgram.Systemd => DeployFiles.SystemdMissing,
        PeerProgram.Container => DeployFiles.ContainerMissing,
        PeerProgram.Mosquitto => MosquittoProgram.Missing,
        PeerProgram.MosquittoAndMount => MosquittoProgram.Missing ?? MountedGateway.Missing,
        PeerProgram.Console => ConsoleSource.Missing,
        PeerProgram.ConsoleInChromium => BrowserProgram.Missing ?? ConsoleSource.Missing,
        PeerProgram.ConsoleAndNodeOpcUa => MissingOf(PeerProgram.ConsoleInChromium) ?? PeerFolder.Missing,
        PeerProgram.ConsoleOnPlant => MissingOf(PeerProgram.ConsoleAndNodeOpcUa) ?? MosquittoProgram.Missing,
        _ => PeerFolder.Missing,
    };
}
