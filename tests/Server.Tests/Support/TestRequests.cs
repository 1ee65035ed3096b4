using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Server.Tests.Support;

/// <summary>Requests of many operations.</summary>
internal static class TestRequests
{
    /// <summary>From a folder of 250 to its nodes, one after the other.</summary>
    public static TranslateBrowsePathsToNodeIdsRequest Translate(int paths) => new()
    {
        BrowsePaths =
        [
            .. Enumerable.Range(0, paths).Select(i => new BrowsePath
            {
                StartingNode = i % 2 == 0 ? TestPlant.Many : TestPlant.Folder,
                RelativePath = Path(i % 2 == 0 ? ["Many" + (i % TestPlant.ManyCount)] : ["Many", "Many" + i]),
            }),
        ],
    };

    public static ReadRequest Read(int values, NodeId? node = null) => new()
    {
        TimestampsToReturn = TimestampsToReturn.Both,
        NodesToRead =
        [
            .. Enumerable.Range(0, values).Select(i => new ReadValueId
            {
                NodeId = node ?? (i % 3 == 0 ? TestPlant.Int32Array : TestPlant.Int32),
                AttributeId = (uint)(node is null && i % 5 == 0 ? AttributeId.BrowseName : AttributeId.Value),
            }),
        ],
    };

    public static WriteRequest Write(int values) => new()
    {
        NodesToWrite =
        [
            .. Enumerable.Range(0, values).Select(i => new WriteValue
            {
                NodeId = i % 4 == 0 ? TestPlant.ReadOnly : TestPlant.Int32,
                AttributeId = (uint)AttributeId.Value,
                Value = new DataValue(new Variant(i)),
            }),
        ],
    };

    public static BrowseRequest Browse(int nodes, uint most = 0) => new()
    {
        RequestedMaxReferencesPerNode = most,
        NodesToBrowse =
        [
            .. Enumerable.Range(0, nodes).Select(i => new BrowseDescription
            {
                NodeId = (i % 3) switch { 0 => TestPlant.Many, 1 => TestPlant.Folder, _ => new NodeId("None", 1) },
                BrowseDirection = BrowseDirection.Both,
                ResultMask = (uint)BrowseResultMask.All,
            }),
        ],
    };

    public static CallRequest Call(int calls) => new()
    {
        MethodsToCall =
        [
            .. Enumerable.Range(0, calls).Select(i => new CallMethodRequest
            {
                ObjectId = TestPlant.Methods,
                MethodId = TestPlant.Add,
                InputArguments = i % 5 == 4 ? [] : [new Variant(i), new Variant(1)],
            }),
        ],
    };

    public static RegisterNodesRequest Register(int nodes) => new()
    {
        NodesToRegister = [.. Enumerable.Range(0, nodes).Select(i => new NodeId("Many" + i, 1))],
    };

    public static CreateMonitoredItemsRequest Items(uint subscription, int items) => new()
    {
        SubscriptionId = subscription,
        TimestampsToReturn = TimestampsToReturn.Both,
        ItemsToCreate =
        [
            .. Enumerable.Range(0, items).Select(i => new MonitoredItemCreateRequest
            {
                ItemToMonitor = new ReadValueId
                {
                    NodeId = i % 7 == 6 ? new NodeId("None", 1) : TestPlant.Int32,
                    AttributeId = (uint)AttributeId.Value,
                },
                MonitoringMode = MonitoringMode.Sampling,
                RequestedParameters = new MonitoringParameters { ClientHandle = (uint)i, QueueSize = 2 },
            }),
        ],
    };

    private static RelativePath Path(string[] names) => new()
    {
        Elements =
        [
            .. names.Select(name => new RelativePathElement
            {
                ReferenceTypeId = new NodeId(33),
                IncludeSubtypes = true,
                TargetName = new QualifiedName(name, 1),
            }),
        ],
    };
}
