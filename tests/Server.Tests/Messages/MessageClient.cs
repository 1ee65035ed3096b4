using System.Net;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Messages;
using Gateway.Server.Tests.Support;

namespace Gateway.Server.Tests.Messages;

/// <summary>A client of HTTP: each request by itself.</summary>
internal sealed class MessageClient(
    ServerFixture fixture, string user = "operator", string address = "127.0.0.9",
    MessageSecurityMode mode = MessageSecurityMode.None, TimeSpan validFor = default)
{
    private readonly IPEndPoint _remote = new(IPAddress.Parse(address), 5000);

    private readonly Caller _caller = new(
        new UserIdentity(user, user, fixture.Users.Users[user], UserKind.UserName)
        {
            ValidUntil = validFor == default ? 0 : fixture.Time.GetTimestamp() + validFor.Ticks,
        },
        CallerDoor.Http,
        mode, isTrustedApplication: false, hasSession: false)
    {
        Address = address,
    };

    public NodeId Token { get; set; }

    /// <summary>That of its session; without one a new channel for each request.</summary>
    public MessageChannel Channel => fixture.Server.Messages.Find(Token, _caller, _remote);

    public async Task<MessageClient> OpenAsync()
    {
        await CreateAsync();
        await CallAsync<ActivateSessionResponse>(new ActivateSessionRequest());
        return this;
    }

    public async Task<CreateSessionResponse> CreateAsync()
    {
        var created = await CallAsync<CreateSessionResponse>(new CreateSessionRequest
        {
            SessionName = "web",
            RequestedSessionTimeout = 60_000,
        });
        Token = created.AuthenticationToken;
        return created;
    }

    public async Task<uint> SubscribeAsync(NodeId node)
    {
        var subscription = await CallAsync<CreateSubscriptionResponse>(new CreateSubscriptionRequest
        {
            RequestedPublishingInterval = 100,
            RequestedLifetimeCount = 10_000,
            RequestedMaxKeepAliveCount = 1_000,
            PublishingEnabled = true,
        });
        await CallAsync<CreateMonitoredItemsResponse>(new CreateMonitoredItemsRequest
        {
            SubscriptionId = subscription.SubscriptionId,
            ItemsToCreate =
            [
                new MonitoredItemCreateRequest
                {
                    ItemToMonitor = new ReadValueId { NodeId = node, AttributeId = (uint)AttributeId.Value },
                    MonitoringMode = MonitoringMode.Reporting,
                    RequestedParameters = new MonitoringParameters { SamplingInterval = -1, QueueSize = 1 },
                },
            ],
        });
        return subscription.SubscriptionId;
    }

    /// <summary>Handed over when this returns.</summary>
    public Task<MessageAnswer> SendAsync(IServiceRequest request, CancellationToken cancellationToken = default) =>
        Channel.CallAsync(Encode(request), cancellationToken);

    public byte[] Encode(IServiceRequest request)
    {
        request.RequestHeader = new RequestHeader { AuthenticationToken = Token, RequestHandle = 6 };
        return TestClient.Encode(request);
    }

    /// <summary>The same in a buffer that the channel gives back, with a long AuditEntryId.</summary>
    public Task<MessageAnswer> SendAsync(
        IServiceRequest request, PooledBuffer message, Action<long> hold, int padding)
    {
        request.RequestHeader = new RequestHeader
        {
            AuthenticationToken = Token,
            RequestHandle = 6,
            AuditEntryId = new string('x', padding),
        };
        message.Write(TestClient.Encode(request));
        return fixture.Server.Messages.Find(Token, _caller, _remote).CallAsync(message, hold, CancellationToken.None);
    }

    public async Task<T> CallAsync<T>(IServiceRequest request)
        where T : class, IServiceResponse, IStructure<T> => Read<T>(await SendAsync(request)).Response!;

    public async Task<StatusCode> FaultAsync(IServiceRequest request) =>
        Read<ServiceFault>(await SendAsync(request)).Status;

    public static (StatusCode Status, T? Response) Read<T>(MessageAnswer answer)
        where T : class, IServiceResponse, IStructure<T>
    {
        if (answer.Status.IsBad)
            return (answer.Status, null);
        var reader = new UaBinaryReader(answer.Message);
        var type = reader.ReadNodeId();
        IServiceResponse response = type.Numeric == ServiceFault.BinaryEncodingId
            ? ServiceFault.Decode(ref reader)
            : T.Decode(ref reader);
        Assert.False(reader.Failed);
        Assert.Equal(6u, response.ResponseHeader.RequestHandle);
        answer.Dispose();
        return (response.ResponseHeader.ServiceResult, response as T);
    }
}
