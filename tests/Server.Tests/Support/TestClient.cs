using System.Net;
using System.Security.Cryptography;
using System.Text;
using Gateway.Admission.Clients;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport.Certificates;
using Gateway.Transport.Conversation;
using Gateway.Transport.Profiles;
using Gateway.Transport.Security;

namespace Gateway.Server.Tests.Support;

/// <summary>One client on one channel: encodes requests, decodes answers, signs where the policy asks for it.</summary>
internal sealed class TestClient
{
    private readonly ServerFixture _fixture;
    private readonly ApplicationCertificate? _certificate;
    private uint _lastRequest;

    public TestClient(
        ServerFixture fixture, uint channelId, SecurityPolicy policy, MessageSecurityMode mode,
        ApplicationCertificate? certificate, string? address = null, ApplicationCertificate? own = null)
    {
        _fixture = fixture;
        _certificate = certificate;
        Channel = new SecureChannel(Link)
        {
            Profile = TransportProfiles.UaTcp,
            ChannelId = channelId,
            Policy = policy,
            SecurityMode = mode,
            PeerCertificate = certificate?.Der ?? [],
            PeerThumbprint = certificate?.Thumbprint ?? "",
            OwnCertificate = own,
            RemoteEndPoint = address is null ? null : new IPEndPoint(IPAddress.Parse(address), 4000),
            EndpointUrl = "opc.tcp://here:4840",
            Pass = address is null ? null : Enter(address),
        };
        fixture.Server.OnOpened(Channel);
    }

    public FakeLink Link { get; } = new();

    public SecureChannel Channel { get; }

    /// <summary>The server's certificate that it signs.</summary>
    public ApplicationCertificate SignsFor { get; set; } = TestCertificates.Server;

    public NodeId Token { get; set; }

    public byte[] ServerNonce { get; set; } = [];

    public CreateSessionResponse? Session { get; private set; }

    public CreateSessionRequest NewSession() => new()
    {
        ClientDescription = new ApplicationDescription { ApplicationUri = "urn:test:client" },
        EndpointUrl = "opc.tcp://here:4840",
        SessionName = "test",
        ClientNonce = RandomNumberGenerator.GetBytes(32),
        ClientCertificate = _certificate?.ChainBlob,
        RequestedSessionTimeout = 60_000,
    };

    public async Task<CreateSessionResponse> CreateSessionAsync(CreateSessionRequest? request = null)
    {
        var response = await CallAsync<CreateSessionResponse>(request ?? NewSession());
        Take(response);
        return response;
    }

    /// <summary>What follows belongs to this session.</summary>
    public void Take(CreateSessionResponse response)
    {
        Session = response;
        Token = response.AuthenticationToken;
        ServerNonce = response.ServerNonce!;
    }

    public ActivateSessionRequest NewActivation(string? user = null, string? password = null) => new()
    {
        ClientSignature = Sign(),
        UserIdentityToken = user is null
            ? new ExtensionObject(new AnonymousIdentityToken { PolicyId = "anonymous" })
            : new ExtensionObject(new UserNameIdentityToken
            {
                UserName = user,
                Password = Encoding.UTF8.GetBytes(password ?? user),
            }),
    };

    public async Task<ActivateSessionResponse> ActivateAsync(string? user = null)
    {
        var response = await CallAsync<ActivateSessionResponse>(NewActivation(user));
        ServerNonce = response.ServerNonce!;
        return response;
    }

    /// <summary>Takes another client's session over to this channel.</summary>
    public void TakeOver(TestClient other)
    {
        Token = other.Token;
        ServerNonce = other.ServerNonce;
    }

    public SignatureData Sign() => _certificate is null
        ? default
        : new SignatureData
        {
            Algorithm = Channel.Policy.SignatureAlgorithmUri,
            Signature = Channel.Policy.SignAsymmetric(
                _certificate.PrivateKey, [.. SignsFor.Der, .. ServerNonce]),
        };

    /// <summary>Returns the request id; the answer may come later.</summary>
    public uint Send(IServiceRequest request, uint requestHandle = 0, uint timeoutHint = 0)
    {
        request.RequestHeader = new RequestHeader
        {
            AuthenticationToken = Token,
            RequestHandle = requestHandle != 0 ? requestHandle : 1000 + _lastRequest,
            TimeoutHint = timeoutHint,
            ReturnDiagnostics = 0x3FF,
            AuditEntryId = "audit",
        };
        return SendRaw(Encode(request));
    }

    public uint SendRaw(ReadOnlySpan<byte> message)
    {
        var id = ++_lastRequest;
        _fixture.Server.OnMessage(Channel, id, message);
        return id;
    }

    public async Task<T> CallAsync<T>(IServiceRequest request)
        where T : class, IServiceResponse, IStructure<T>
    {
        var (status, response) = await AnswerAsync<T>(Send(request));
        Assert.True(response is not null, "Fault " + status);
        Assert.Equal(request.RequestHeader.RequestHandle, response.ResponseHeader.RequestHandle);
        return response;
    }

    public async Task<StatusCode> FaultAsync(IServiceRequest request)
    {
        var (status, _) = await AnswerAsync<ServiceFault>(Send(request));
        return status;
    }

    /// <summary>The fault, and when the server wants the client back in ms; 0 where it does not say.</summary>
    public async Task<(StatusCode Status, long RetryAfterMs)> RefusalAsync(uint requestId)
    {
        var (status, fault) = await AnswerAsync<ServiceFault>(requestId);
        if (fault!.ResponseHeader.AdditionalHeader.Body is not AdditionalParametersType { Parameters: { } parameters })
            return (status, 0);
        var parameter = Assert.Single(parameters);
        Assert.Equal(new QualifiedName("RetryAfterMs"), parameter.Key);
        Assert.Equal(BuiltInType.Int64, parameter.Value.Type);
        return (status, parameter.Value.AsInt64());
    }

    public async Task<StatusCode> FaultAsync(uint requestId) => (await AnswerAsync<ServiceFault>(requestId)).Status;

    public async Task<(StatusCode Status, T? Response)> AnswerAsync<T>(uint requestId)
        where T : class, IServiceResponse, IStructure<T>
    {
        var bytes = await Link.AnswerAsync(requestId);
        var reader = new UaBinaryReader(bytes);
        var typeId = reader.ReadNodeId();
        IServiceResponse response = typeId.Numeric == 397 ? ServiceFault.Decode(ref reader) : T.Decode(ref reader);
        Assert.False(reader.Failed);
        Assert.Equal(0, reader.Remaining);
        Assert.Equal(response.BinaryEncodingId, typeId.Numeric);
        // Sources of a Call alone have diagnostics.
        Assert.True(response is CallResponse || response.ResponseHeader.StringTable is null);
        return (response.ResponseHeader.ServiceResult, response as T);
    }

    private ClientPass Enter(string address)
    {
        var entry = new TestDoorEntry(IPAddress.Parse(address));
        _fixture.Admission.Door.Arrive(entry);
        Assert.NotNull(entry.Pass);
        Assert.True(entry.Pass.TryVerify(_certificate?.Thumbprint ?? "", "CN=test"));
        return entry.Pass;
    }

    public void Close() => Close(StatusCode.Good);

    public void Close(StatusCode reason)
    {
        Link.IsOpen = false;
        _fixture.Server.OnClosed(Channel, reason);
    }

    public static byte[] Encode(IServiceRequest request)
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        writer.WriteNodeId(new NodeId(request.BinaryEncodingId));
        request.Encode(ref writer);
        writer.Complete();
        return buffer.WrittenSpan.ToArray();
    }
}
