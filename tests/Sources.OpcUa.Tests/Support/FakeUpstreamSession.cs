using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Events;
using Gateway.Sources.OpcUa.Redundancy;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Tests.Support;

/// <summary>One session with a <see cref="FakeUpstream"/>.</summary>
internal sealed class FakeUpstreamSession(FakeUpstream server) : IUpstreamSession
{
    public const uint EventSubscription = 99;

    private const uint FirstSubscription = 5;

    private readonly TaskCompletionSource<StatusCode> _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Dictionary<byte, ReferenceDescription[]> _continuations = [];
    private byte _lastPoint;
    private readonly Dictionary<uint, int> _subscriptions = [];
    private uint _lastItem;

    public EndpointDescription Endpoint => server.Endpoint;

    public Task<StatusCode> Closed
    {
        get
        {
            if (IsAborted)
                Close();
            return _closed.Task;
        }
    }

    public bool HasEnded => _closed.Task.IsCompleted;

    public bool IsAborted { get; private set; }

    public ValueTask<TResponse> InvokeAsync<TRequest, TResponse>(TRequest request, CancellationToken cancellation)
        where TRequest : class, IServiceRequest
        where TResponse : IStructure<TResponse>
    {
        cancellation.ThrowIfCancellationRequested();
        lock (server.Requests)
        {
            server.Requests.Add(request);
            server.Asked.Release();
            if (request is ReadRequest read && read.NodesToRead!.Any(node => server.Undecodable.Contains(node.NodeId)))
                return ValueTask.FromException<TResponse>(new ServiceException(StatusCodes.BadDecodingError, "answer"));
            if (server.OnRequest?.Invoke(request) is { IsBad: true } status)
                return ValueTask.FromException<TResponse>(new ServiceException(status, "request"));
            if (server.RequestStatus.IsBad)
                return ValueTask.FromException<TResponse>(new ServiceException(server.RequestStatus, "request"));
            return server.Hold is { } hold
                ? LaterAsync<TResponse>(hold, request, cancellation)
                : ValueTask.FromResult((TResponse)Answered(request));
        }
    }

    private async ValueTask<TResponse> LaterAsync<TResponse>(
        Task hold, IServiceRequest request, CancellationToken cancellation)
    {
        await hold.WaitAsync(cancellation);
        lock (server.Requests)
            return (TResponse)Answered(request);
    }

    public TimeSpan SessionTimeout => server.SessionTimeout;

    public bool HasSubscription { get; set; }

    public ValueTask<GrantedSubscription> SubscribeAsync(
        SubscriptionSettings settings, ISubscriptionHandler handler, CancellationToken cancellation)
    {
        if (server.SubscribeStatus.IsBad)
            throw new ServiceException(server.SubscribeStatus, "request");
        lock (server.Requests)
            server.Subscribed.Add(settings);
        if ((handler is StandbyRelay relay ? relay.Taker : handler) is EventIntake events)
        {
            (server.EventHandler, server.EventIntake) = (handler, events);
            return new(new GrantedSubscription(EventSubscription, 100, TimeSpan.FromMinutes(1)));
        }

        server.Handler = handler;
        var interval = server.RevisedPublishingInterval ?? settings.PublishingIntervalMs;
        if (_subscriptions.Count == server.MaxSubscriptions)
            throw new ServiceException(StatusCodes.BadTooManySubscriptions, "request");
        var id = FirstSubscription + (uint)_subscriptions.Count;
        _subscriptions.Add(id, 0);
        return new(new GrantedSubscription(id, interval, TimeSpan.FromMinutes(1)));
    }

    public bool Has(GrantedSubscription subscription) => HasSubscription;

    public ValueTask<long> RecoverAsync(CancellationToken cancellation) => new(server.OnRecover?.Invoke() ?? 0);

    public ValueTask UnsubscribeAsync(GrantedSubscription subscription, CancellationToken cancellation)
    {
        server.Unsubscribed++;
        if (server.UnsubscribeStatus.IsBad)
            throw new ServiceException(server.UnsubscribeStatus, "request");
        HasSubscription = false;
        return default;
    }

    public void Abort()
    {
        IsAborted = true;
        if (!server.EndsLate)
            Close();
    }

    public void Close(uint why = StatusCodes.BadConnectionClosed) => _closed.TrySetResult(why);

    public bool IsDisposed { get; private set; }

    public ValueTask DisposeAsync()
    {
        IsDisposed = true;
        Close();
        return server.OnDispose is { } wait ? new ValueTask(wait) : default;
    }

    private IStructure Answered(IServiceRequest request) =>
        server.OnAnswer is { } change ? change(Answer(request)) : Answer(request);

    private IStructure Answer(IServiceRequest request) => request switch
    {
        ReadRequest read => new ReadResponse { Results = Array.ConvertAll(read.NodesToRead!, Read) },
        WriteRequest write => new WriteResponse { Results = Array.ConvertAll(write.NodesToWrite!, Write) },
        BrowseRequest browse => new BrowseResponse { Results = Array.ConvertAll(browse.NodesToBrowse!, Browse) },
        BrowseNextRequest next => new BrowseNextResponse
        {
            Results = [server.Next?.Invoke() ?? BrowseNext(next.ContinuationPoints![0]![0])],
        },
        CallRequest call => server.OnCallRequest?.Invoke(call) ??
            new CallResponse { Results = Array.ConvertAll(call.MethodsToCall!, Call) },
        CreateMonitoredItemsRequest create => new CreateMonitoredItemsResponse
        {
            Results = Array.ConvertAll(create.ItemsToCreate!, item => Create(create.SubscriptionId, item)),
        },
        ModifyMonitoredItemsRequest modify => new ModifyMonitoredItemsResponse
        {
            Results = Array.ConvertAll(modify.ItemsToModify!, item => new MonitoredItemModifyResult
            {
                RevisedQueueSize = server.RevisedQueueSize ?? item.RequestedParameters.QueueSize,
            }),
        },
        DeleteMonitoredItemsRequest delete => Delete(delete),
        SetPublishingModeRequest set => new SetPublishingModeResponse
        {
            Results =
            [
                .. set.SubscriptionIds!.SkipLast(1).Select(_ => server.PublishingStatus),
                server.EventPublishingStatus.IsBad ? server.EventPublishingStatus : server.PublishingStatus,
            ],
        },
        _ => throw new InvalidOperationException(request.GetType().Name),
    };

    private DataValue Read(ReadValueId read)
    {
        if (read.NodeId == new NodeId(StandardIds.Variables.Server_NamespaceArray))
            return new DataValue(Variant.FromArray(BuiltInType.String, server.Namespaces));
        return server.Attributes.TryGetValue((read.NodeId, (AttributeId)read.AttributeId), out var value)
            ? value
            : new DataValue(StatusCodes.BadNodeIdUnknown);
    }

    private StatusCode Write(WriteValue write)
    {
        if (!server.Attributes.ContainsKey((write.NodeId, AttributeId.Value)))
            return StatusCodes.BadNodeIdUnknown;
        server.Attributes[(write.NodeId, AttributeId.Value)] = write.Value;
        return default;
    }

    private BrowseResult Browse(BrowseDescription browse)
    {
        if (server.BrowseStatus.TryGetValue(browse.NodeId, out var status))
            return new BrowseResult { StatusCode = status };
        var forward = browse.BrowseDirection == BrowseDirection.Forward;
        return Cut([.. server.References
            .Where(entry => entry.Source == browse.NodeId && entry.Reference.IsForward == forward)
            .Select(entry => entry.Reference)]);
    }

    private BrowseResult BrowseNext(byte point) => _continuations.Remove(point, out var references)
        ? Cut(references)
        : new BrowseResult { StatusCode = StatusCodes.BadContinuationPointInvalid };

    private BrowseResult Cut(ReferenceDescription[] references)
    {
        if (references.Length <= server.MaxReferencesPerAnswer)
            return new BrowseResult { References = references };
        if (_continuations.Count >= server.MaxContinuationPoints)
            return new BrowseResult { StatusCode = StatusCodes.BadNoContinuationPoints };
        var point = ++_lastPoint;
        _continuations[point] = references[(int)server.MaxReferencesPerAnswer..];
        return new BrowseResult
        {
            References = references[..(int)server.MaxReferencesPerAnswer],
            ContinuationPoint = [point],
        };
    }

    private CallMethodResult Call(CallMethodRequest call) => server.OnCall is { } answer
        ? new CallMethodResult { StatusCode = answer(call) }
        : new CallMethodResult { OutputArguments = [new Variant(call.MethodId), .. call.InputArguments!] };

    private DeleteMonitoredItemsResponse Delete(DeleteMonitoredItemsRequest delete)
    {
        _subscriptions[delete.SubscriptionId] -= delete.MonitoredItemIds!.Length;
        return new DeleteMonitoredItemsResponse { Results = new StatusCode[delete.MonitoredItemIds.Length] };
    }

    private MonitoredItemCreateResult Create(uint subscription, MonitoredItemCreateRequest item)
    {
        if (subscription == EventSubscription)
        {
            server.EventItem = item;
            return new MonitoredItemCreateResult { StatusCode = server.EventItemStatus, MonitoredItemId = 1 };
        }

        var count = _subscriptions.GetValueOrDefault(subscription);
        if (count >= server.ItemsPerSubscription || _subscriptions.Values.Sum() >= server.MaxItems)
            return new MonitoredItemCreateResult { StatusCode = StatusCodes.BadTooManyMonitoredItems };
        _subscriptions[subscription] = count + 1;
        server.Items.Add(item);
        server.OnCreateItem?.Invoke();
        return new MonitoredItemCreateResult
        {
            StatusCode = server.ItemStatus,
            MonitoredItemId = ++_lastItem,
            RevisedQueueSize = server.RevisedQueueSize ?? item.RequestedParameters.QueueSize,
            RevisedSamplingInterval = server.RevisedSamplingInterval ?? item.RequestedParameters.SamplingInterval,
        };
    }
}
