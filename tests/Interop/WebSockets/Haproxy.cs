using System.Diagnostics;
using Gateway.Loadtest.Machine;
using Gateway.Testing;

namespace Gateway.Interop.WebSockets;

/// <summary>A real HAProxy on a loopback port that ends TLS in front of a gateway, as a plant's reverse proxy does.
/// </summary>
internal sealed class Haproxy : IAsyncDisposable
{
    /// <summary>Debian's is not on the path of every user.</summary>
    private static readonly string Program = File.Exists("/usr/sbin/haproxy") ? "/usr/sbin/haproxy" : "haproxy";

    private readonly ChildProcess process;

    private Haproxy(ChildProcess process, int port) => (this.process, Port) = (process, port);

    /// <summary>What is missing, or null.</summary>
    public static string? Missing { get; } = Has()
        ? null
        : "haproxy is not installed: apt-get install haproxy (README, Tests)";

    public int Port { get; }

    public static async Task<Haproxy> StartAsync(TemporaryFolder folder, TestCertificate certificate, int httpPort)
    {
        string home = folder.Sub("haproxy");
        string pem = Path.Combine(home, "tls.pem");
        await File.WriteAllTextAsync(
            pem, await File.ReadAllTextAsync(certificate.CertificateFile) + "\n"
            + await File.ReadAllTextAsync(certificate.PrivateKeyFile));
        int port = FreePort.Next();
        string configuration = Path.Combine(home, "haproxy.cfg");
        await File.WriteAllTextAsync(configuration, $"""
            defaults
              mode http
              timeout connect 5s
              timeout client 60s
              timeout server 60s
              timeout tunnel 1h
            frontend tls
              bind 127.0.0.1:{port} ssl crt {pem}
              default_backend gateway
            backend gateway
              server gateway 127.0.0.1:{httpPort}

            """);
        Haproxy proxy = new(new ChildProcess(
            new ProcessStartInfo(Program, ["-db", "-f", configuration]) { WorkingDirectory = home }, _ => { }), port);
        await proxy.AwaitAsync();
        return proxy;
    }

    public ValueTask DisposeAsync() => process.DisposeAsync();

    private static bool Has()
    {
        try
        {
            using Process process = Process.Start(new ProcessStartInfo(Program, "-v")
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            })!;
            process.WaitForExit();
            return process.ExitCode == 0;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return false;
        }
    }

    private async Task AwaitAsync()
    {
        using CancellationTokenSource patience = new(Patience.Limit);
        using PeriodicTimer look = new(TimeSpan.FromMilliseconds(50));
        while (true)
        {
            Assert.False(process.Exit.IsCompleted, process.Output);
            using System.Net.Sockets.TcpClient peer = new();
            try
            {
                await peer.ConnectAsync("127.0.0.1", Port, patience.Token);
                return;
            }
            catch (System.Net.Sockets.SocketException)
            {
                await look.WaitForNextTickAsync(patience.Token);
            }
        }
    }
}
