using Gateway.Admission;
using Gateway.Admission.Stages;
using Gateway.Testing;
using Gateway.Transport.Certificates;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Microsoft.Extensions.Logging;
using IPAddress = System.Net.IPAddress;
using IPEndPoint = System.Net.IPEndPoint;

namespace Gateway.Transport.Tests.Support;

/// <summary>The server role without sockets, on time that a test moves.</summary>
internal sealed class TestServer : IDisposable
{
    private readonly UaTcpConnectionHandler _handler;

    public TestServer(
        TransportLimits? limits = null,
        bool echo = false,
        IReadOnlyList<SecurityPolicy>? policies = null,
        Func<ApplicationCertificate>? certificate = null,
        AdmissionLimits? admission = null,
        bool isAdmissionEnabled = true,
        ICertificateValidator? validator = null,
        ILoggerFactory? loggers = null)
    {
        Context = TestTransport.Make(
            limits ?? new TransportLimits { FailureAnswerStep = TimeSpan.Zero }, Time, loggers,
            admission: new AdmissionControl(admission ?? new AdmissionLimits(), Time, isAdmissionEnabled, 200));
        Handler = new RecordingHandler { Echo = echo };
        Options = new UaTcpServerOptions
        {
            Certificate = certificate ?? (() => TestCertificates.Server),
            Validator = validator ?? new FixedValidator(),
            Security = new SecurityOffer { Policies = policies ?? SecurityPolicies.All },
        };
        _handler = new UaTcpConnectionHandler(Context, Options, Handler);
    }

    public ManualTimeProvider Time { get; } = new();

    public TransportContext Context { get; }

    /// <summary>Where the test gave no other.</summary>
    public FixedValidator Validator => (FixedValidator)Options.Validator;

    public RecordingHandler Handler { get; }

    public UaTcpServerOptions Options { get; }

    public UaTcpConnectionHandler Connections => _handler;

    public AdmissionControl Admission => Context.Admission;

    /// <summary>The newest entry of the operator's list.</summary>
    public (AdmissionStage Stage, RefusalReason Reason) LastRefusal
    {
        get
        {
            var refusal = Admission.Decisions.Snapshot()[0];
            return (refusal.Stage, refusal.Reason);
        }
    }

    public TransportCounters Counters => Context.Counters;

    /// <summary>Of the last connection made here: what the server counts of it is counted.</summary>
    public Task Ended { get; private set; } = Task.CompletedTask;

    /// <summary>The server's end of the last connection made here.</summary>
    public PipeConnectionContext? Accepted { get; private set; }

    /// <summary>The loop runs on whoever writes; the task ends with the connection.</summary>
    public (PipeConnectionContext Client, Task Ended) Connect(
        int pauseAtBytes = 65536, IPAddress? from = null)
    {
        var (server, client) = PipeConnectionContext.CreatePair(pauseAtBytes);
        if (from is not null)
            server.RemoteEndPoint = new IPEndPoint(from, 50000);
        Accepted = server;
        Ended = RunAsync(server);
        return (client, Ended);
    }

    public async Task<(SecureChannel Channel, RecordingHandler Handler)> OpenAsync(
        SecurityPolicy policy,
        Gateway.Codec.Structures.MessageSecurityMode mode,
        TransportContext? clientContext = null,
        TimeSpan? lifetime = null)
    {
        var (client, _) = Connect();
        var handler = new RecordingHandler();
        var options = new ClientChannelOptions
        {
            EndpointUrl = "opc.tcp://test:4840",
            Policy = policy,
            SecurityMode = mode,
            Certificate = TestCertificates.Client,
            ServerCertificate = Options.Certificate().Der,
            Validator = null,
            RequestedLifetime = lifetime ?? TimeSpan.FromHours(1),
        };
        var channel = await ClientChannel.OpenAsync(client, clientContext ?? Context, options, handler, default)
            .AsTask().WaitAsync(Patience.Limit);
        return (channel, handler);
    }

    public void Dispose() => Context.Dispose();

    private async Task RunAsync(PipeConnectionContext server)
    {
        await _handler.OnConnectedAsync(server);
        await server.DisposeAsync();
    }
}
