using System.Collections.Concurrent;
using System.Security.Cryptography;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport;
using Gateway.Transport.Certificates;
using Gateway.Transport.Conversation;
using Gateway.Transport.Security;

namespace Gateway.Loadtest.Peers.Hostile;

/// <summary>The services of a <see cref="HostileServer"/>. Publish requests are held and never answered. Threads: one
/// of each connection.</summary>
internal sealed class HostileServices(HostileScript script, ApplicationCertificate certificate) : IChannelHandler
{
    private readonly ConcurrentDictionary<string, long> _requests = new();
    private int _lastId;

    /// <summary>The users' tokens as they came.</summary>
    public ConcurrentQueue<ActivateSessionRequest> Activations { get; } = new();

    public string Url { get; set; } = "";

    /// <summary>How many requests of a service came.</summary>
    public long Count<TRequest>()
        where TRequest : IServiceRequest => _requests.GetValueOrDefault(typeof(TRequest).Name);

    public void OnOpened(SecureChannel channel)
    {
    }

    public void OnClosed(SecureChannel channel, StatusCode reason)
    {
    }

    public void OnMessage(SecureChannel channel, uint requestId, ReadOnlySpan<byte> message)
    {
        var reader = new UaBinaryReader(message);
        var type = reader.ReadNodeId().Numeric;
        var response = Answer(channel, type, ref reader);
        if (response is null || !script.IsAnswered(type))
            return;
        using var buffer = new PooledBuffer(MessageLayout.Headroom);
        var writer = new UaBinaryWriter(buffer);
        writer.WriteNodeId(new NodeId(response.BinaryEncodingId));
        response.Encode(ref writer);
        writer.Complete();
        if (channel.Send(buffer, requestId).IsBad)
            channel.Abort(StatusCodes.BadResponseTooLarge, "");
        channel.Flush();
    }

    private IStructure? Answer(SecureChannel channel, uint type, ref UaBinaryReader reader) => type switch
    {
        GetEndpointsRequest.BinaryEncodingId => Discover(Take<GetEndpointsRequest>(ref reader)),
        CreateSessionRequest.BinaryEncodingId => Create(channel, Take<CreateSessionRequest>(ref reader)),
        ActivateSessionRequest.BinaryEncodingId => Activate(channel, Take<ActivateSessionRequest>(ref reader)),
        ReadRequest.BinaryEncodingId => Read(Take<ReadRequest>(ref reader)),
        BrowseRequest.BinaryEncodingId => Browse(Take<BrowseRequest>(ref reader)),
        BrowseNextRequest.BinaryEncodingId => BrowseNext(Take<BrowseNextRequest>(ref reader)),
        CreateSubscriptionRequest.BinaryEncodingId => Subscribe(Take<CreateSubscriptionRequest>(ref reader)),
        CreateMonitoredItemsRequest.BinaryEncodingId => Monitor(Take<CreateMonitoredItemsRequest>(ref reader)),
        DeleteSubscriptionsRequest.BinaryEncodingId => Unsubscribe(Take<DeleteSubscriptionsRequest>(ref reader)),
        CloseSessionRequest.BinaryEncodingId => Close(Take<CloseSessionRequest>(ref reader)),
        PublishRequest.BinaryEncodingId => Publish(Take<PublishRequest>(ref reader)),
        _ => new ServiceFault { ResponseHeader = Header(new RequestHeader(), StatusCodes.BadServiceUnsupported) },
    };

    private TRequest Take<TRequest>(ref UaBinaryReader reader)
        where TRequest : IStructure<TRequest>
    {
        _requests.AddOrUpdate(typeof(TRequest).Name, 1, static (_, count) => count + 1);
        return TRequest.Decode(ref reader);
    }

    private GetEndpointsResponse Discover(GetEndpointsRequest request) => new()
    {
        ResponseHeader = Header(request.RequestHeader),
        Endpoints = script.Discover(Url, certificate.Der),
    };

    private IStructure Create(SecureChannel channel, CreateSessionRequest request)
    {
        if (!script.IsArmed)
            return new ServiceFault { ResponseHeader = Header(request.RequestHeader, StatusCodes.BadServerTooBusy) };
        var id = (uint)Interlocked.Increment(ref _lastId);
        byte[] signed = [.. request.ClientCertificate ?? [], .. request.ClientNonce ?? []];
        return new CreateSessionResponse
        {
            ResponseHeader = Header(request.RequestHeader),
            SessionId = new NodeId(id, 1),
            AuthenticationToken = new NodeId(id, 1),
            RevisedSessionTimeout = 60_000,
            ServerNonce = RandomNumberGenerator.GetBytes(32),
            ServerCertificate = certificate.Der,
            ServerEndpoints = script.Confirm(Url, certificate.Der),
            ServerSignature = channel.Policy.IsNone ? default : new SignatureData
            {
                Algorithm = channel.Policy.SignatureAlgorithmUri,
                Signature = Sign(channel.Policy, signed),
            },
        };
    }

    private byte[] Sign(SecurityPolicy policy, byte[] data) => certificate.PrivateKey.SignData(
        data, HashAlgorithmName.SHA256,
        policy == SecurityPolicies.Aes256Sha256RsaPss ? RSASignaturePadding.Pss : RSASignaturePadding.Pkcs1);

    private IStructure? Activate(SecureChannel channel, ActivateSessionRequest request)
    {
        Activations.Enqueue(request);
        if (script.Activate(channel) is not { } status)
            return null;
        if (status.IsBad)
            return new ServiceFault { ResponseHeader = Header(request.RequestHeader, status) };
        channel.HasActiveSession = true;
        return new ActivateSessionResponse
        {
            ResponseHeader = Header(request.RequestHeader),
            ServerNonce = RandomNumberGenerator.GetBytes(32),
        };
    }

    private ReadResponse Read(ReadRequest request) => new()
    {
        ResponseHeader = Header(request.RequestHeader),
        Results = Array.ConvertAll(request.NodesToRead ?? [], script.Read),
    };

    private BrowseResponse Browse(BrowseRequest request) => new()
    {
        ResponseHeader = Header(request.RequestHeader),
        Results = Array.ConvertAll(request.NodesToBrowse ?? [], script.Browse),
    };

    private BrowseNextResponse BrowseNext(BrowseNextRequest request) => new()
    {
        ResponseHeader = Header(request.RequestHeader),
        Results = Array.ConvertAll(
            request.ContinuationPoints ?? [],
            point => request.ReleaseContinuationPoints ? new BrowseResult() : script.BrowseNext(point ?? [])),
    };

    private PublishResponse? Publish(PublishRequest request) => script.Publish() is { } message
        ? new PublishResponse
        {
            ResponseHeader = Header(request.RequestHeader),
            SubscriptionId = 1,
            NotificationMessage = message,
        }
        : null;

    private static CreateSubscriptionResponse Subscribe(CreateSubscriptionRequest request) => new()
    {
        ResponseHeader = Header(request.RequestHeader),
        SubscriptionId = 1,
        RevisedPublishingInterval = request.RequestedPublishingInterval,
        RevisedLifetimeCount = request.RequestedLifetimeCount,
        RevisedMaxKeepAliveCount = request.RequestedMaxKeepAliveCount,
    };

    private CreateMonitoredItemsResponse Monitor(CreateMonitoredItemsRequest request) => new()
    {
        ResponseHeader = Header(request.RequestHeader),
        Results = Array.ConvertAll(request.ItemsToCreate ?? [], one => new MonitoredItemCreateResult
        {
            MonitoredItemId = (uint)Interlocked.Increment(ref _lastId),
            RevisedSamplingInterval = one.RequestedParameters.SamplingInterval,
            RevisedQueueSize = one.RequestedParameters.QueueSize,
        }),
    };

    private static DeleteSubscriptionsResponse Unsubscribe(DeleteSubscriptionsRequest request) => new()
    {
        ResponseHeader = Header(request.RequestHeader),
        Results = new StatusCode[request.SubscriptionIds?.Length ?? 0],
    };

    private static CloseSessionResponse Close(CloseSessionRequest request) =>
        new() { ResponseHeader = Header(request.RequestHeader) };

    private static ResponseHeader Header(RequestHeader request, StatusCode status = default) => new()
    {
        Timestamp = DateTime.UnixEpoch,
        RequestHandle = request.RequestHandle,
        ServiceResult = status,
    };
}
