using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Operations.Browsing;
using Gateway.Operations.Work;

namespace Gateway.Operations.Searching;

/// <summary>Finds nodes by words and type, in turns and without an index: each page visits every node. A node that the
/// caller may not see is not found, and its name does not match for the nodes below it (R36). Thread-safe.</summary>
public sealed class NodeSearch(NodeTable nodes, NodeAccess access, NodePaths paths)
{
    public const int MaxTextLength = 256;

    /// <summary>Of a text that begins as a path, as other requests take it.</summary>
    public const int MaxPathLength = 4_096;

    private readonly FairPlaces _places = new(MostAtATime);

    /// <summary>Concurrent searches, because each holds two bytes for each node (R02). Further ones wait, users in a
    /// circle.</summary>
    public static int MostAtATime { get; } = Math.Max(2, Environment.ProcessorCount);

    /// <summary>Errors: Bad_NothingToDo for neither words nor a type; Bad_OutOfRange for a text or a number of words
    /// that is too large, or a limit below 1; Bad_NodeIdUnknown for a type that the caller cannot see.</summary>
    public StatusCode Check(Caller caller, NodeQuery query)
    {
        var words = SearchWords.Split(query.Text);
        if (words.Length == 0 && query.Type.IsNull)
            return StatusCodes.BadNothingToDo;
        var most = query.Text.StartsWith('/') ? MaxPathLength : MaxTextLength;
        if (query.Text.Length > most || words.Length > SearchWords.MaxWords || query.Limit < 1)
            return StatusCodes.BadOutOfRange;
        if (query.Type.IsNull)
            return StatusCode.Good;
        var type = nodes.Find(query.Type);
        return type.IsNone || !access.IsVisible(caller, type) ? StatusCodes.BadNodeIdUnknown : StatusCodes.Good;
    }

    /// <summary>One page. Waits for a place and for its turns, without a thread; errors as
    /// <see cref="WorkTurn.NextAsync"/>.</summary>
    /// <param name="turn">The request's work.</param>
    /// <param name="query">Good by <see cref="Check"/>.</param>
    /// <param name="cancellation">Ends the wait for a place.</param>
    public async ValueTask<SearchPage> SearchAsync(WorkTurn turn, NodeQuery query, CancellationToken cancellation)
    {
        await _places.EnterAsync(turn.Caller.Account, cancellation).ConfigureAwait(false);
        try
        {
            return await LookAtAllAsync(turn, query).ConfigureAwait(false);
        }
        finally
        {
            _places.Leave();
        }
    }

    private async ValueTask<SearchPage> LookAtAllAsync(WorkTurn turn, NodeQuery query)
    {
        using var words = new SearchWords(nodes, paths, query.Text);
        var hits = new SearchHits(query);
        var type = nodes.Find(query.Type);
        for (var i = 1; i < words.End; i++)
        {
            // One unit for each word that is compared with the node's names, and one for the path upwards.
            if (!turn.Take(1 + Math.Max(1, words.Count)))
            {
                if (turn.IsSpent)
                    return hits.ToPage(isComplete: false);
                await turn.NextAsync().ConfigureAwait(false);
            }

            Look(turn.Caller, new NodeHandle(i), query, type, words, hits);
        }

        return hits.ToPage(isComplete: true);
    }

    private void Look(
        Caller caller, NodeHandle node, NodeQuery query, NodeHandle type, SearchWords words, SearchHits hits)
    {
        var nodeClass = nodes.GetNodeClass(node);
        if (nodeClass == NodeClass.Unspecified || words.Match(caller, node) is not { } rank ||
            (query.NodeClassMask != 0 && (query.NodeClassMask & (uint)nodeClass) == 0) ||
            !hits.Wants(rank, node) || !access.IsVisible(caller, node) ||
            (!type.IsNone && !IsOfType(caller, node, nodeClass, type)))
            return;
        hits.Add(rank, node);
    }

    private bool IsOfType(Caller caller, NodeHandle node, NodeClass nodeClass, NodeHandle type)
    {
        if (nodeClass is NodeClass.Variable or NodeClass.VariableType &&
            nodes.IsSubtypeOf(nodes.Find(nodes.GetVariableFacts(node).DataType), type))
            return true;
        return nodeClass is NodeClass.Object or NodeClass.Variable &&
            nodes.TypeDefinitionOf(node) is { IsExternal: false } reference &&
            access.IsVisible(caller, reference.Target) && nodes.IsSubtypeOf(reference.Target, type);
    }
}
