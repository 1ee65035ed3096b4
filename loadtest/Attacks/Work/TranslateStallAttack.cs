using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Loadtest.Attacks.Work;

/// <summary>Four connections translate a thousand paths at a time, each through a folder of nearly ten thousand
/// references: half of the names exist, half do not.</summary>
internal sealed class TranslateStallAttack : Attack
{
    private const uint HierarchicalReferences = 33;
    private const int Padding = 200;

    public override string Name => "translate-stall";

    public override string Summary =>
        "4 connections, requests of 1,000 paths over a folder of 10,000 references: nobody else waits for them.";

    public override string Rules => "R44";

    /// <summary>Each tag changes once a second, so that the good client would see it stand still.</summary>
    public override Plant PlantOf(AttackSize size) => new()
    {
        Tags = TagsOf(size),
        ChangesPerSecond = TagsOf(size),
    };

    public override async Task RunAsync(AttackContext context)
    {
        var (folder, name) = await FindFolderAsync(context);
        var request = new TranslateBrowsePathsToNodeIdsRequest
        {
            BrowsePaths = [.. Enumerable.Range(0, context.Pick(full: 1000, small: 100)).Select(i => new BrowsePath
            {
                StartingNode = folder,
                RelativePath = PathTo(
                    i % 2 == 0 ? name : new QualifiedName(new string('x', Padding) + i, name.NamespaceIndex)),
            })],
        };
        await WorkLoad.RunAsync(
            context, TimeSpan.FromSeconds(context.Pick(full: 30, small: 2)),
            async (session, _, cancellation) =>
                await session.InvokeAsync<TranslateBrowsePathsToNodeIdsRequest, TranslateBrowsePathsToNodeIdsResponse>(
                    new TranslateBrowsePathsToNodeIdsRequest { BrowsePaths = request.BrowsePaths }, cancellation));
    }

    /// <summary>Below ten thousand references: beyond that a path is refused half-way.</summary>
    private static int TagsOf(AttackSize size) => size == AttackSize.Full ? 9_900 : 1_000;

    private static RelativePath PathTo(QualifiedName name) => new()
    {
        Elements =
        [
            new RelativePathElement
            {
                ReferenceTypeId = new NodeId(HierarchicalReferences), IncludeSubtypes = true, TargetName = name,
            },
        ],
    };

    /// <summary>The folder that the tags are in, and the name of its last one.</summary>
    private static async Task<(NodeId Folder, QualifiedName Last)> FindFolderAsync(AttackContext context)
    {
        await using var session = await context.Run.Sessions.OpenAsync(context.Cancellation);
        var tag = context.Run.Sessions.Tag(TagsOf(context.Size) - 1);
        var browsed = await session.InvokeAsync<BrowseRequest, BrowseResponse>(
            new BrowseRequest
            {
                NodesToBrowse =
                [
                    new BrowseDescription
                    {
                        NodeId = tag,
                        BrowseDirection = BrowseDirection.Inverse,
                        ReferenceTypeId = new NodeId(HierarchicalReferences),
                        IncludeSubtypes = true,
                    },
                ],
            },
            context.Cancellation);
        var read = await session.InvokeAsync<ReadRequest, ReadResponse>(
            new ReadRequest
            {
                TimestampsToReturn = TimestampsToReturn.Neither,
                NodesToRead = [new ReadValueId { NodeId = tag, AttributeId = (uint)AttributeId.BrowseName }],
            },
            context.Cancellation);
        return (browsed.Results![0].References![0].NodeId.NodeId, read.Results![0].Value.AsQualifiedName());
    }
}
