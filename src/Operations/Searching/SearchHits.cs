using Gateway.AddressSpace.Nodes;

namespace Gateway.Operations.Searching;

/// <summary>The best nodes found so far, as many of each rank as a page has and one more. Nodes come in the order of
/// their handles. One owner.</summary>
internal sealed class SearchHits(NodeQuery query)
{
    private readonly List<NodeHandle>[] _ranks = [.. Enum.GetValues<SearchRank>().Select(_ => new List<NodeHandle>())];

    public bool Wants(SearchRank rank, NodeHandle node) =>
        _ranks[(int)rank].Count <= query.Limit && query.After.IsBefore(rank, node);

    /// <summary>Only after <see cref="Wants"/>.</summary>
    public void Add(SearchRank rank, NodeHandle node) => _ranks[(int)rank].Add(node);

    public SearchPage ToPage(bool isComplete)
    {
        var found = new List<SearchCursor>();
        for (var rank = 0; rank < _ranks.Length; rank++)
            found.AddRange(_ranks[rank].Select(node => new SearchCursor((SearchRank)rank, node)));
        SearchCursor? next = found.Count > query.Limit ? found[query.Limit - 1] : null;
        return new SearchPage([.. found.Take(query.Limit).Select(hit => hit.Node)], next, isComplete);
    }
}
