using System.Globalization;
using Gateway.Client;
using Gateway.Client.Discovery;
using Gateway.Codec.Structures;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Transport.Certificates;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Loadtest.Clients;

/// <summary>Opens the run's sessions: one client, one discovery, one certificate for all.</summary>
internal sealed class SessionFactory : IDisposable
{
    private readonly UaClient _client;
    private readonly EndpointDescription _endpoint;
    private readonly ConnectSettings _settings;
    private readonly string _tagFormat;
    private readonly DirectoryInfo _pki;
    private string[] _namespaces = [];

    private SessionFactory(
        UaClient client, EndpointDescription endpoint, ConnectSettings settings, string tagFormat, DirectoryInfo pki)
    {
        _client = client;
        _endpoint = endpoint;
        _settings = settings;
        _tagFormat = tagFormat;
        _pki = pki;
    }

    public static async Task<SessionFactory> CreateAsync(
        RunOptions options, string url, CancellationToken cancellation)
    {
        var pki = Directory.CreateTempSubdirectory("loadtest-pki");
        var store = new PkiStore(pki.FullName, TimeProvider.System, NullLoggerFactory.Instance);
        var certificate = new ApplicationCertificateStore(store)
            .LoadOrCreate(new ApplicationCertificateOptions
            {
                ApplicationUri = "urn:gateway:loadtest",
                ApplicationName = "Gateway loadtest",
                HostNames = ["localhost"],
            });
        var client = new UaClient(new ClientOptions
        {
            ApplicationName = "Gateway loadtest",
            Certificate = certificate,
            CertificateValidator = new AcceptAll(),
            InlineContinuations = true,
            ConnectTimeout = TimeSpan.FromSeconds(30),
            RequestTimeout = TimeSpan.FromSeconds(30),
            SessionTimeout = TimeSpan.FromMinutes(2),
            KeepAliveInterval = TimeSpan.FromSeconds(30),
        });
        var settings = new ConnectSettings
        {
            EndpointUrl = url,
            SecurityPolicyUri = options.PolicyUri,
            SecurityMode = options.SecurityMode,
            SessionName = "loadtest",
        };
        var endpoints = await client.GetEndpointsAsync(url, cancellation);
        var endpoint = EndpointSelector.Choose(endpoints, options.PolicyUri, options.SecurityMode) ??
            throw new InvalidOperationException($"the server offers no {options.Policy} {options.Mode}");
        var factory = new SessionFactory(client, endpoint, settings, options.TagFormat, pki);
        await factory.ReadNamespacesAsync(cancellation);
        return factory;
    }

    public ValueTask<ClientSession> OpenAsync(CancellationToken cancellation) =>
        _client.ConnectAsync(_endpoint, _settings, cancellation);

    /// <summary>The tag of a number from 0.</summary>
    public NodeId Tag(int number)
    {
        var text = string.Format(CultureInfo.InvariantCulture, _tagFormat, 1000 + number);
        return NodeIdText.TryParse(text, _namespaces, out NodeId id)
            ? id
            : throw new InvalidOperationException($"--tag gives no node id of the server: {text}");
    }

    public void Dispose()
    {
        _client.Dispose();
        _pki.Delete(recursive: true);
    }

    private async Task ReadNamespacesAsync(CancellationToken cancellation)
    {
        await using var session = await OpenAsync(cancellation);
        var response = await session.InvokeAsync<ReadRequest, ReadResponse>(
            new ReadRequest
            {
                NodesToRead =
                [
                    new ReadValueId
                    {
                        NodeId = new NodeId(StandardIds.Variables.Server_NamespaceArray),
                        AttributeId = (uint)AttributeId.Value,
                    },
                ],
            },
            cancellation);
        _namespaces = response.Results?[0].Value.AsArray<string>() ?? [];
    }
}
