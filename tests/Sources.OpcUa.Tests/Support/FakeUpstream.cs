using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Events;
using Gateway.Sources.OpcUa.Sessions;
using Gateway.Sources.Upstreams;

namespace Gateway.Sources.OpcUa.Tests.Support;

/// <summary>An upstream server in memory: nodes with attributes and references, answered at once.</summary>
internal sealed class FakeUpstream : IUpstreamConnection
{
    public string?[] Namespaces { get; set; } = ["http://opcfoundation.org/UA/", "urn:fake", "urn:data"];

    public Dictionary<(NodeId Node, AttributeId Attribute), DataValue> Attributes { get; } = [];

    public List<(NodeId Source, ReferenceDescription Reference)> References { get; } = [];

    /// <summary>Everything asked for, in order.</summary>
    public List<IServiceRequest> Requests { get; } = [];

    /// <summary>One for each request.</summary>
    public SemaphoreSlim Asked { get; } = new(0);

    public List<MonitoredItemCreateRequest> Items { get; } = [];

    public FakeUpstreamSession? Session { get; private set; }

    public EndpointDescription Endpoint { get; set; } = new()
    {
        SecurityPolicyUri = Transport.Security.SecurityPolicies.Basic256Sha256.Uri,
        SecurityMode = MessageSecurityMode.SignAndEncrypt,
    };

    public IReadOnlyList<PresentedCertificate> Certificates { get; set; } = [];

    /// <summary>Answers each BrowseNext instead of what is there.</summary>
    public Func<BrowseResult>? Next { get; set; }

    /// <summary>Connects fail with it while it is bad.</summary>
    public StatusCode ConnectStatus { get; set; }

    public Action? OnConnect { get; set; }

    /// <summary>Connects wait for it; null: they do not.</summary>
    public Func<CancellationToken, Task>? OnConnecting { get; set; }

    /// <summary>The end of a session waits for it; null: it does not.</summary>
    public Task? OnDispose { get; set; }

    /// <summary>Attempts.</summary>
    public int Connects { get; private set; }

    public string ConnectDetail { get; set; } = "connect";

    /// <summary>The next requests fail with it while it is bad.</summary>
    public StatusCode RequestStatus { get; set; }

    /// <summary>Bad: that request fails with it.</summary>
    public Func<IServiceRequest, StatusCode>? OnRequest { get; set; }

    /// <summary>The client cannot decode an answer that has one of these nodes' values in it.</summary>
    public HashSet<NodeId> Undecodable { get; } = [];

    /// <summary>Changes answers.</summary>
    public Func<IStructure, IStructure>? OnAnswer { get; set; }

    /// <summary>Requests are answered after it; null: at once.</summary>
    public Task? Hold { get; set; }

    public StatusCode ItemStatus { get; set; }

    /// <summary>Called for each item, before the answer.</summary>
    public Action? OnCreateItem { get; set; }

    /// <summary>Null grants what is asked for.</summary>
    public double? RevisedSamplingInterval { get; set; }

    /// <summary>As above.</summary>
    public double? RevisedPublishingInterval { get; set; }

    /// <summary>As above.</summary>
    public uint? RevisedQueueSize { get; set; }

    public uint MaxReferencesPerAnswer { get; set; } = uint.MaxValue;

    /// <summary>That a session may hold at a time.</summary>
    public int MaxContinuationPoints { get; set; } = int.MaxValue;

    /// <summary>Nodes whose Browse fails.</summary>
    public Dictionary<NodeId, StatusCode> BrowseStatus { get; } = [];

    public ISubscriptionHandler? Handler { get; set; }

    /// <summary>Of the subscription to events.</summary>
    public ISubscriptionHandler? EventHandler { get; set; }

    /// <summary>Behind it.</summary>
    public EventIntake? EventIntake { get; set; }

    /// <summary>As each subscription was asked for.</summary>
    public List<SubscriptionSettings> Subscribed { get; } = [];

    /// <summary>The present item for events.</summary>
    public MonitoredItemCreateRequest EventItem { get; set; }

    public StatusCode EventItemStatus { get; set; }

    /// <summary>Null: the method answers with its inputs.</summary>
    public Func<CallMethodRequest, StatusCode>? OnCall { get; set; }

    /// <summary>Its whole answer; null: as above.</summary>
    public Func<CallRequest, CallResponse?>? OnCallRequest { get; set; }

    /// <summary>What it has still after a lost connection.</summary>
    public ResumeKind Remembers { get; set; } = ResumeKind.New;

    /// <summary>Brings the messages that were lost with the connection, and says how many.</summary>
    public Func<long>? OnRecover { get; set; }

    /// <summary>Messages of an aborted session are handled until somebody waits for its end.</summary>
    public bool EndsLate { get; set; }

    public int Unsubscribed { get; set; }

    public int ItemsPerSubscription { get; set; } = int.MaxValue;

    public int MaxItems { get; set; } = int.MaxValue;

    public int MaxSubscriptions { get; set; } = int.MaxValue;

    /// <summary>Answers SetPublishingMode, of each subscription.</summary>
    public StatusCode PublishingStatus { get; set; }

    /// <summary>The same, of the subscription to events: the last one.</summary>
    public StatusCode EventPublishingStatus { get; set; }

    /// <summary>Bad: it has no subscriptions.</summary>
    public StatusCode SubscribeStatus { get; set; }

    /// <summary>Of DeleteSubscriptions.</summary>
    public StatusCode UnsubscribeStatus { get; set; }

    public TimeSpan SessionTimeout { get; set; } = TimeSpan.FromMinutes(1);

    public async ValueTask<IUpstreamSession> ConnectAsync(CancellationToken cancellation)
    {
        Connects++;
        if (OnConnecting is { } wait)
            await wait(cancellation);
        if (ConnectStatus.IsBad)
            throw new ServiceException(ConnectStatus, ConnectDetail);
        OnConnect?.Invoke();
        return Session = new FakeUpstreamSession(this);
    }

    public async ValueTask<ResumedUpstream> ResumeAsync(IUpstreamSession lost, CancellationToken cancellation)
    {
        Assert.True(((FakeUpstreamSession)lost).HasEnded);
        await ConnectAsync(cancellation);
        Session!.HasSubscription = Remembers != ResumeKind.New;
        return new ResumedUpstream(Session, Remembers);
    }

    /// <summary>Sessions that the gateway closed after their connection was lost.</summary>
    public List<IUpstreamSession> Closed { get; } = [];

    public ValueTask LeaveAsync(IUpstreamSession lost, CancellationToken cancellation)
    {
        Assert.True(lost.Closed.IsCompleted);
        if (ConnectStatus.IsBad)
            throw new ServiceException(ConnectStatus, ConnectDetail);
        Closed.Add(lost);
        return default;
    }

    public FakeUpstream Add(
        NodeId parent, NodeId id, NodeClass nodeClass, uint referenceType = 35, uint typeDefinition = 0)
    {
        var name = id.String ?? id.ToString();
        References.Add((parent, new ReferenceDescription
        {
            ReferenceTypeId = new NodeId(referenceType),
            IsForward = true,
            NodeId = id,
            BrowseName = new QualifiedName(name, id.NamespaceIndex),
            DisplayName = new LocalizedText(name),
            NodeClass = nodeClass,
            TypeDefinition = new NodeId(typeDefinition),
        }));
        return this;
    }

    public FakeUpstream AddVariable(NodeId parent, NodeId id, Variant value, NodeId dataType, byte access = 3)
    {
        Add(parent, id, NodeClass.Variable, 47, 63);
        Attributes[(id, AttributeId.Value)] = new DataValue(value, default, At(1));
        Attributes[(id, AttributeId.DataType)] = new DataValue(new Variant(dataType));
        Attributes[(id, AttributeId.ValueRank)] = new DataValue(new Variant(-1));
        Attributes[(id, AttributeId.UserAccessLevel)] = new DataValue(new Variant(access));
        return this;
    }

    public static DateTime At(int second) => new(2026, 1, 1, 12, 0, second, DateTimeKind.Utc);
}
