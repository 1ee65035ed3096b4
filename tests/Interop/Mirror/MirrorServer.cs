using System.Security.Cryptography.X509Certificates;
using Gateway.Interop.Scripts;
using Gateway.Loadtest.Machine;

namespace Gateway.Interop.Mirror;

/// <summary>node-opcua's server with types and companion models of its own (mirror-server.js).</summary>
internal sealed class MirrorServer : IAsyncDisposable
{
    private readonly PeerProcess process;

    private MirrorServer(string endpointUrl, PeerProcess process) =>
        (EndpointUrl, this.process) = (endpointUrl, process);

    public string EndpointUrl { get; }

    /// <summary>When it is ready, the gateway of that folder trusts it.</summary>
    public static async Task<MirrorServer> StartAsync(
        TemporaryFolder folder, string name, string namespaceUri, bool otherOrder = false)
    {
        int port = FreePort.Next();
        string pki = PeerPki.In(folder, name + "-pki");
        PeerProcess process = PeerProcess.Start("mirror-server.js", new
        {
            pki,
            port,
            applicationUri = "urn:interop:" + name,
            namespaceUri,
            name,
            otherOrder,
        });
        await process.WaitForAsync("ready");
        string pem = await File.ReadAllTextAsync(Path.Combine(pki, "own", "certs", "certificate.pem"));
        using X509Certificate2 certificate = X509Certificate2.CreateFromPem(pem);
        await File.WriteAllBytesAsync(
            Path.Combine(folder.Sub("gateway", "pki", "trusted", "certs"), name + ".der"), certificate.RawData);
        return new MirrorServer($"opc.tcp://127.0.0.1:{port}", process);
    }

    public ValueTask DisposeAsync() => process.DisposeAsync();
}
