using System.Net;
using Gateway.Loadtest.Clients;
using Gateway.Transport.Certificates;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Loadtest.Peers.Hostile;

/// <summary>A server on a free port of the loopback address that answers by its script, with a certificate of its own.
/// It speaks the conversation as a real one does, so that only its answers are hostile.</summary>
internal sealed class HostileServer : IAsyncDisposable
{
    private readonly DirectoryInfo _pki = Directory.CreateTempSubdirectory("hostile-pki");
    private readonly Transport.Hosting.TransportContext _transport =
        Transport.Hosting.TransportContext.Standalone(new TransportLimits(), TimeProvider.System);
    private readonly PkiStore _store;
    private WebApplication? _application;

    private HostileServer(HostileScript script)
    {
        _store = new PkiStore(_pki.FullName, TimeProvider.System, NullLoggerFactory.Instance, 200);
        Certificate = new ApplicationCertificateStore(_store).LoadOrCreate(new ApplicationCertificateOptions
        {
            ApplicationUri = script.ApplicationUri,
            ApplicationName = "Hostile",
            HostNames = ["localhost"],
        });
        Services = new HostileServices(script, Certificate);
    }

    public ApplicationCertificate Certificate { get; }

    /// <summary>Counts the requests that it got.</summary>
    public HostileServices Services { get; }

    public string Url { get; private set; } = "";

    public static async Task<HostileServer> StartAsync(HostileScript script)
    {
        SocketTuning.Apply();
        var server = new HostileServer(script);
        try
        {
            await server.ListenAsync();
            return server;
        }
        catch
        {
            await server.DisposeAsync();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (_application is not null)
            await _application.DisposeAsync();
        _transport.Dispose();
        await _store.DisposeAsync();
        Certificate.Dispose();
        _pki.Delete(recursive: true);
    }

    private async Task ListenAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUaTcpSockets();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.ListenUaTcp(new IPEndPoint(IPAddress.Loopback, 0)));
        builder.Services.AddSingleton<IChannelHandler>(_ => Services);
        builder.Services.AddUaTcp(_transport, new UaTcpServerOptions
        {
            Security = new SecurityOffer { Policies = SecurityPolicies.All },
            Certificate = () => Certificate,
            Validator = new AcceptAll(),
        });
        _application = builder.Build();
        await _application.StartAsync();
        var addresses = _application.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!;
        Url = $"opc.tcp://127.0.0.1:{new Uri(addresses.Addresses.First()).Port}";
        Services.Url = Url;
    }
}
