using Gateway.Client;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport;
using Gateway.Transport.Certificates;
using Gateway.Transport.Conversation;
using Gateway.Transport.Security;

namespace Gateway.Loadtest.Attacks.Logins;

/// <summary>A session on a secured channel whose requests are made by hand, so that each can be wrong in a way of its
/// own. Owner: one attacker, with one request at a time.</summary>
internal sealed class CraftedSession : IChannelHandler, IAsyncDisposable
{
    private const int NonceLength = 32;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    private readonly ApplicationCertificate _certificate;
    private readonly EndpointDescription _endpoint;
    private readonly string _url;
    private TaskCompletionSource<byte[]> _answer = NewAnswer();
    private SecureChannel _channel = null!;
    private NodeId _token;
    private byte[] _serverNonce = [];
    private uint _lastRequest;

    private CraftedSession(ApplicationCertificate certificate, EndpointDescription endpoint, string url) =>
        (_certificate, _endpoint, _url) = (certificate, endpoint, url);

    public SecurityPolicy Policy => _channel.Policy;

    public byte[] ServerCertificate => _channel.PeerCertificate;

    /// <summary>Of the last answer that gave one: what the next signature and password are made with.</summary>
    public byte[] ServerNonce => _serverNonce;

    /// <summary>Errors: ServiceException, InvalidOperationException where the gateway refuses.</summary>
    public static async Task<CraftedSession> OpenAsync(
        UaClient client, ApplicationCertificate certificate, EndpointDescription endpoint, string url,
        CancellationToken cancellation)
    {
        var session = new CraftedSession(certificate, endpoint, url);
        session._channel = await client.OpenChannelAsync(endpoint, url, session, cancellation);
        try
        {
            await session.CreateAsync();
            return session;
        }
        catch
        {
            session._channel.Close();
            throw;
        }
    }

    /// <summary>A request that would be accepted, but for the given change.</summary>
    public CreateSessionRequest NewSession(
        byte[]? nonce = null, byte[]? certificate = null, string? applicationUri = null, string? serverUri = null) =>
        new()
        {
            ClientDescription = new ApplicationDescription
            {
                ApplicationUri = applicationUri ?? _certificate.ApplicationUri,
                ApplicationType = ApplicationType.Client,
            },
            ServerUri = serverUri,
            EndpointUrl = _url,
            SessionName = "attack",
            ClientNonce = nonce ?? Enumerable.Repeat((byte)7, NonceLength).ToArray(),
            ClientCertificate = certificate ?? _certificate.Der,
            RequestedSessionTimeout = 120_000,
        };

    /// <summary>With the application's signature as it should be.</summary>
    public ActivateSessionRequest NewActivation(UserIdentityToken token, SignatureData proof = default) => new()
    {
        ClientSignature = Sign(_certificate),
        UserIdentityToken = new ExtensionObject(token),
        UserTokenSignature = proof,
    };

    public SignatureData Sign(ApplicationCertificate signer) => new()
    {
        Algorithm = Policy.SignatureAlgorithmUri,
        Signature = Policy.SignAsymmetric(signer.PrivateKey, (byte[])[.. ServerCertificate, .. ServerNonce]),
    };

    /// <summary>The token policy of the endpoint that signs and encrypts, where there are several.</summary>
    public string? TokenPolicyOf(UserTokenType type) => (_endpoint.UserIdentityTokens ?? [])
        .Where(policy => policy.TokenType == type)
        .OrderBy(policy => policy.SecurityPolicyUri == SecurityPolicies.None.Uri)
        .First(policy => policy.SecurityPolicyUri is null || policy.SecurityPolicyUri == Policy.Uri ||
            policy.SecurityPolicyUri == SecurityPolicies.None.Uri).PolicyId;

    public async Task<StatusCode> ActivateAsync(ActivateSessionRequest request)
    {
        var answer = await SendAsync(request);
        var result = ResultOf(answer);
        if (result.IsGood)
            _serverNonce = Read<ActivateSessionResponse>(answer).ServerNonce ?? [];
        return result;
    }

    /// <returns>The ServiceResult.</returns>
    public async Task<StatusCode> AskAsync(IServiceRequest request) => ResultOf(await SendAsync(request));

    public void OnOpened(SecureChannel channel)
    {
    }

    public void OnMessage(SecureChannel channel, uint requestId, ReadOnlySpan<byte> message) =>
        _answer.TrySetResult(message.ToArray());

    public void OnClosed(SecureChannel channel, StatusCode reason) =>
        _answer.TrySetException(new InvalidOperationException($"the gateway closed the channel: {reason}"));

    public async ValueTask DisposeAsync()
    {
        if (_channel.IsOpen)
            await AskAsync(new CloseSessionRequest { DeleteSubscriptions = true });
        _channel.Close();
    }

    private async Task CreateAsync()
    {
        var answer = await SendAsync(NewSession());
        if (ResultOf(answer).IsBad)
            throw new InvalidOperationException($"the gateway creates no session: {ResultOf(answer)}");
        var response = Read<CreateSessionResponse>(answer);
        (_token, _serverNonce) = (response.AuthenticationToken, response.ServerNonce ?? []);
        var result = await ActivateAsync(NewActivation(
            new AnonymousIdentityToken { PolicyId = TokenPolicyOf(UserTokenType.Anonymous) }));
        if (result.IsBad)
            throw new InvalidOperationException($"the gateway lets no anonymous session in: {result}");
    }

    private async Task<byte[]> SendAsync(IServiceRequest request)
    {
        if (_answer.Task.IsCompletedSuccessfully)
            _answer = NewAnswer();
        var id = ++_lastRequest;
        request.RequestHeader = new RequestHeader { AuthenticationToken = _token, RequestHandle = id };
        using var message = new PooledBuffer(MessageLayout.Headroom);
        var writer = new UaBinaryWriter(message);
        writer.WriteTypeId(request.BinaryEncodingId);
        request.Encode(ref writer);
        writer.Complete();
        _channel.Send(message, id);
        _channel.Flush();
        return await _answer.Task.WaitAsync(Patience);
    }

    private static TaskCompletionSource<byte[]> NewAnswer() =>
        new(TaskCreationOptions.RunContinuationsAsynchronously);

    private static StatusCode ResultOf(byte[] message)
    {
        var reader = new UaBinaryReader(message);
        reader.ReadNodeId();
        return ResponseHeader.Decode(ref reader).ServiceResult;
    }

    private static T Read<T>(byte[] message)
        where T : IStructure<T>
    {
        var reader = new UaBinaryReader(message);
        reader.ReadNodeId();
        return T.Decode(ref reader);
    }
}
