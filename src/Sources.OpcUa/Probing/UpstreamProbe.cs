using Gateway.Client;
using Gateway.Client.Discovery;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Health;
using Gateway.Sources.OpcUa.Sessions;
using Gateway.Transport.Certificates;
using Gateway.Transport.Security;
using TransportContext = Gateway.Transport.Hosting.TransportContext;

namespace Gateway.Sources.OpcUa.Probing;

/// <summary>Tries to connect to a server that is not configured yet, and says of each step what came of it. Nothing of
/// the try stays; a certificate that does not pass is kept among the rejected ones, as of any upstream. Thread-safe.
/// </summary>
public sealed class UpstreamProbe : IDisposable
{
    private static readonly string[] Steps = ["reach", "security", "certificate", "session", "user", "read"];

    /// <summary>It has a timer: made with the first try.</summary>
    private readonly Lazy<UaClient> _client;
    private readonly UpstreamLimits _limits;
    private readonly TimeProvider _time;
    private readonly OwnCertificate _own;

    /// <param name="limits">On the server's answers.</param>
    /// <param name="certificate">Of this gateway.</param>
    /// <param name="validators">Of the server's certificate.</param>
    /// <param name="transport">The host's.</param>
    /// <param name="options">The server sees the name.</param>
    /// <param name="time">For what steps take.</param>
    public UpstreamProbe(
        UpstreamLimits limits, OwnCertificate certificate, CertificateValidators validators,
        TransportContext transport, ApplicationCertificateOptions options, TimeProvider time)
    {
        (_limits, _time, _own) = (limits, time, certificate);
        _client = new Lazy<UaClient>(() => new UaClient(new ClientOptions
        {
            ApplicationName = options.ApplicationName,
            LiveCertificate = certificate,
            CertificateValidator = validators.Servers,
            TimeProvider = time,
            TransportContext = transport,
            MaxEndpoints = limits.MaxUpstreamEndpoints,
            RequestTimeout = limits.UpstreamRequestTimeout,
        }));
    }

    /// <param name="options">Valid: see <see cref="UpstreamOptions.Validate"/>.</param>
    /// <param name="cancellation">Ends the try.</param>
    /// <returns>All steps in their order.</returns>
    public async Task<IReadOnlyList<ProbeStep>> TryAsync(UpstreamOptions options, CancellationToken cancellation)
    {
        var done = new List<ProbeStep>();
        var since = _time.GetTimestamp();
        try
        {
            var endpoints = await _client.Value.GetEndpointsAsync(options.EndpointUrl, cancellation)
                .ConfigureAwait(false);
            done.Add(Ok("reach", $"It answers and offers {endpoints.Length} endpoints.", since));
            since = _time.GetTimestamp();
            var session = new ClientUpstreamSession(
                await _client.Value.ConnectAsync(OpcUaDriver.Settings(options), cancellation).ConfigureAwait(false));
            await using (session.ConfigureAwait(false))
                await FinishAsync(done, options, endpoints, session, since, cancellation).ConfigureAwait(false);
        }
        catch (Exception error) when (error is not OperationCanceledException || !cancellation.IsCancellationRequested)
        {
            Fail(done, error is OperationCanceledException ? new TimeoutException() : error, since);
        }

        return done;
    }

    public void Dispose()
    {
        if (_client.IsValueCreated)
            _client.Value.Dispose();
    }

    private async Task FinishAsync(
        List<ProbeStep> done, UpstreamOptions options, EndpointDescription[] endpoints, ClientUpstreamSession session,
        long since, CancellationToken cancellation)
    {
        var chosen = EndpointSelector.Choose(endpoints, options.SecurityPolicyUri, options.ParsedSecurityMode);
        var policy = SecurityPolicies.TryGet(chosen?.SecurityPolicyUri, out var known) ? known : SecurityPolicies.None;
        done.Add(Ok("security", $"{policy.Name} with {chosen?.SecurityMode}. {options.InsecureReason}".Trim(), 0));
        done.Add(policy.IsNone
            ? new ProbeStep("certificate", ProbeStep.Skipped, "Without security nobody shows a certificate.")
            : Ok("certificate", "The gateway trusts the server, and the server trusts the gateway.", 0));
        done.Add(Ok("session", "The server has made a session.", since));
        done.Add(Ok("user", options.User.Length == 0 ? "Anonymous is let in." : "The user is let in.", 0));
        since = _time.GetTimestamp();
        ReadValueId[] namespaces =
        [
            new()
            {
                NodeId = new NodeId(StandardIds.Variables.Server_NamespaceArray),
                AttributeId = (uint)AttributeId.Value,
            },
        ];
        var read = await session.ReadAsync(
            namespaces, 0, 1, new ValueAllowance(_limits.MaxUpstreamAnswerBytes), cancellation).ConfigureAwait(false);
        done.Add(read[0].Status.IsBad
            ? new ProbeStep("read", ProbeStep.Fault, $"Its NamespaceArray cannot be read: {read[0].Status}.")
            {
                Remedy = "Give the gateway's user the right to read the Server object.",
            }
            : Ok("read", $"It has {read[0].Value.AsArray<string>()?.Length ?? 0} namespaces.", since));
    }

    private void Fail(List<ProbeStep> done, Exception error, long since)
    {
        var failure = UpstreamFailure.Of(error, OpcUaDriver.InWords(_own.Current));
        var step = done.Count == 0 ? "reach" : done.Count > 1 ? "read" : StepOf(error);
        foreach (var earlier in Steps.Skip(done.Count).TakeWhile(one => one != step))
            done.Add(new ProbeStep(earlier, ProbeStep.Skipped, "It was not seen whether this works."));
        done.Add(new ProbeStep(step, ProbeStep.Fault, failure.Text)
        {
            Remedy = failure.Remedy,
            Took = _time.GetElapsedTime(since),
        });
        foreach (var later in Steps.Skip(done.Count))
            done.Add(new ProbeStep(later, ProbeStep.Skipped, "It was not tried."));
    }

    /// <summary>Of a connection that the server has answered at all.</summary>
    private static string StepOf(Exception error) => error is not ServiceException service ? "session"
        : service.Fault switch
        {
            ConnectFault.NoFittingEndpoint or ConnectFault.EndpointMismatch or ConnectFault.TooManyEndpoints
                or ConnectFault.OtherServer => "security",
            ConnectFault.ServerCertificate => "certificate",
            ConnectFault.CredentialsUnprotected => "user",
            _ => service.Status.CodeBits switch
            {
                StatusCodes.BadIdentityTokenRejected or StatusCodes.BadIdentityTokenInvalid
                    or StatusCodes.BadUserAccessDenied => "user",
                StatusCodes.BadSecurityChecksFailed or StatusCodes.BadCertificateUntrusted
                    or StatusCodes.BadCertificateInvalid or StatusCodes.BadCertificateUriInvalid
                    or StatusCodes.BadCertificateTimeInvalid => "certificate",
                _ => "session",
            },
        };

    private ProbeStep Ok(string step, string words, long since) => new(step, ProbeStep.Ok, words)
    {
        Took = since == 0 ? TimeSpan.Zero : _time.GetElapsedTime(since),
    };
}
