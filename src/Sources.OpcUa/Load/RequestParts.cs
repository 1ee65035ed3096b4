using Gateway.Client;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Load;

/// <summary>A request of many operations in several requests, and their answers as one. Source: Part 4 §7.38.2,
/// Bad_TooManyOperations.</summary>
internal static class RequestParts
{
    /// <summary>The upstream refuses the request as a whole for its size: nothing of it was done.</summary>
    public static bool IsTooLarge(StatusCode status) => status.CodeBits is StatusCodes.BadTooManyOperations
        or StatusCodes.BadRequestTooLarge or StatusCodes.BadResponseTooLarge
        or StatusCodes.BadEncodingLimitsExceeded;

    /// <summary>Of a request that can be cut; 1 for others.</summary>
    public static int Operations(IServiceRequest request) => request switch
    {
        ReadRequest read => read.NodesToRead?.Length ?? 0,
        WriteRequest write => write.NodesToWrite?.Length ?? 0,
        BrowseRequest browse => browse.NodesToBrowse?.Length ?? 0,
        CreateMonitoredItemsRequest create => create.ItemsToCreate?.Length ?? 0,
        ModifyMonitoredItemsRequest modify => modify.ItemsToModify?.Length ?? 0,
        DeleteMonitoredItemsRequest delete => delete.MonitoredItemIds?.Length ?? 0,
        _ => 1,
    };

    public static IServiceRequest Part(IServiceRequest request, int start, int count) => request switch
    {
        ReadRequest read => new ReadRequest
        {
            MaxAge = read.MaxAge,
            TimestampsToReturn = read.TimestampsToReturn,
            NodesToRead = read.NodesToRead![start..(start + count)],
        },
        WriteRequest write => new WriteRequest { NodesToWrite = write.NodesToWrite![start..(start + count)] },
        BrowseRequest browse => new BrowseRequest
        {
            View = browse.View,
            RequestedMaxReferencesPerNode = browse.RequestedMaxReferencesPerNode,
            NodesToBrowse = browse.NodesToBrowse![start..(start + count)],
        },
        CreateMonitoredItemsRequest create => new CreateMonitoredItemsRequest
        {
            SubscriptionId = create.SubscriptionId,
            TimestampsToReturn = create.TimestampsToReturn,
            ItemsToCreate = create.ItemsToCreate![start..(start + count)],
        },
        ModifyMonitoredItemsRequest modify => new ModifyMonitoredItemsRequest
        {
            SubscriptionId = modify.SubscriptionId,
            TimestampsToReturn = modify.TimestampsToReturn,
            ItemsToModify = modify.ItemsToModify![start..(start + count)],
        },
        DeleteMonitoredItemsRequest delete => new DeleteMonitoredItemsRequest
        {
            SubscriptionId = delete.SubscriptionId,
            MonitoredItemIds = delete.MonitoredItemIds![start..(start + count)],
        },
        _ => request,
    };

    /// <summary>Errors: <see cref="ServiceException"/> where an answer has not as many results as its part has
    /// operations: those of the others would be taken for them.</summary>
    public static IStructure Join(IReadOnlyList<(IStructure Answer, int Operations)> parts) => parts[0].Answer switch
    {
        ReadResponse => new ReadResponse { Results = Join<ReadResponse, DataValue>(parts, static one => one.Results) },
        WriteResponse => new WriteResponse
        {
            Results = Join<WriteResponse, StatusCode>(parts, static one => one.Results),
        },
        BrowseResponse => new BrowseResponse
        {
            Results = Join<BrowseResponse, BrowseResult>(parts, static one => one.Results),
        },
        CreateMonitoredItemsResponse => new CreateMonitoredItemsResponse
        {
            Results = Join<CreateMonitoredItemsResponse, MonitoredItemCreateResult>(parts, static one => one.Results),
        },
        ModifyMonitoredItemsResponse => new ModifyMonitoredItemsResponse
        {
            Results = Join<ModifyMonitoredItemsResponse, MonitoredItemModifyResult>(parts, static one => one.Results),
        },
        DeleteMonitoredItemsResponse => new DeleteMonitoredItemsResponse
        {
            Results = Join<DeleteMonitoredItemsResponse, StatusCode>(parts, static one => one.Results),
        },
        var other => throw new ServiceException(StatusCodes.BadUnknownResponse, other.GetType().Name),
    };

    /// <summary>The answer to writes that were not sent, after others were done.</summary>
    public static IStructure? Refused(IServiceRequest part, StatusCode status)
    {
        if (part is not WriteRequest write)
            return null;
        var results = new StatusCode[write.NodesToWrite!.Length];
        Array.Fill(results, status);
        return new WriteResponse { Results = results };
    }

    /// <summary>Values of a Read that the allowance has no room for are Bad_ResponseTooLarge: each part alone may be as
    /// large as a message.</summary>
    public static void Keep(IStructure answer, ValueAllowance allowance)
    {
        if (answer is not ReadResponse { Results: { } values })
            return;
        for (var i = 0; i < values.Length; i++)
        {
            if (!allowance.TryTake(values[i].Value))
                values[i] = new DataValue(StatusCodes.BadResponseTooLarge);
        }
    }

    /// <summary>The answer to reads that were not sent, behind answers that were too large.</summary>
    public static IStructure TooLarge(int operations)
    {
        var results = new DataValue[operations];
        Array.Fill(results, new DataValue(StatusCodes.BadResponseTooLarge));
        return new ReadResponse { Results = results };
    }

    private static TResult[] Join<TResponse, TResult>(
        IReadOnlyList<(IStructure Answer, int Operations)> parts, Func<TResponse, TResult[]?> results)
        where TResponse : class
    {
        var all = new List<TResult>();
        foreach (var (answer, operations) in parts)
            all.AddRange(Sessions.UpstreamRequests.Matching(results((TResponse)answer), operations));
        return [.. all];
    }
}
