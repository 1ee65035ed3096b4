using System.Security.Cryptography.X509Certificates;
using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Sources.OpcUa.Reverse;
using Gateway.Sources.Upstreams;

namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>Thread: the connector's loop; the certificate is read by any.</summary>
/// <param name="client">This gateway.</param>
/// <param name="settings">Of one server.</param>
/// <param name="dial">Makes one for each attempt, where the server connects to us; null: we connect.</param>
internal sealed class ClientUpstreamConnection(UaClient client, ConnectSettings settings, Func<ReverseDial>? dial)
    : IUpstreamConnection
{
    /// <summary>The upstream may have it still: nobody heard the answer to its activation.</summary>
    private ClientSession? _left;

    private volatile PresentedCertificate? _certificate;

    public IReadOnlyList<PresentedCertificate> Certificates => _certificate is { } one ? [one] : [];

    public async ValueTask<IUpstreamSession> ConnectAsync(CancellationToken cancellation) => new ClientUpstreamSession(
        await TryAsync(attempt => client.ConnectAsync(attempt, cancellation), static session => session, cancellation)
            .ConfigureAwait(false));

    public async ValueTask<ResumedUpstream> ResumeAsync(IUpstreamSession lost, CancellationToken cancellation)
    {
        var resumed = await TryAsync(
            attempt => client.ResumeAsync(((ClientUpstreamSession)lost).Session, attempt, cancellation),
            static resumed => resumed.Session, cancellation).ConfigureAwait(false);
        return new ResumedUpstream(new ClientUpstreamSession(resumed.Session), resumed.Kind);
    }

    public ValueTask LeaveAsync(IUpstreamSession lost, CancellationToken cancellation) =>
        LeaveAsync(((ClientUpstreamSession)lost).Session, cancellation);

    public ValueTask CloseAsync() => SessionFarewell.SayAsync(LeaveOwnAsync, client.Options.TimeProvider);

    private ValueTask LeaveAsync(ClientSession lost, CancellationToken cancellation) =>
        client.LeaveAsync(lost, With(dial?.Invoke()), cancellation);

    /// <summary>A small controller has few sessions: one that was left is closed before the next is made.</summary>
    private async ValueTask<T> TryAsync<T>(
        Func<ConnectSettings, ValueTask<T>> connect, Func<T, ClientSession> sessionOf, CancellationToken cancellation)
    {
        await LeaveOwnAsync(cancellation).ConfigureAwait(false);
        var reverse = dial?.Invoke();
        try
        {
            var made = await connect(With(reverse)).ConfigureAwait(false);
            if (sessionOf(made).Endpoint.SecurityMode != MessageSecurityMode.None)
                reverse?.Prove();
            Note(sessionOf(made).ServerCertificate);
            return made;
        }
        catch (ServiceException failure) when (failure.Left is not null)
        {
            _left = failure.Left;
            throw;
        }
    }

    private void Note(byte[] leaf)
    {
        if (leaf.Length == 0)
            return;
        using var certificate = X509CertificateLoader.LoadCertificate(leaf);
        _certificate = new PresentedCertificate(certificate.Thumbprint, certificate.NotAfter.ToUniversalTime());
    }

    private async ValueTask LeaveOwnAsync(CancellationToken cancellation)
    {
        if (_left is { } left)
            await LeaveAsync(left, cancellation).ConfigureAwait(false);
        _left = null;
    }

    private ConnectSettings With(ReverseDial? reverse) =>
        reverse is null ? settings : settings with { Dial = reverse.ConnectAsync };
}
