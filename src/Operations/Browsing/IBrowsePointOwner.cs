using Gateway.Operations.Continuation;

namespace Gateway.Operations.Browsing;

/// <summary>Owns the continuation points of Browse.</summary>
public interface IBrowsePointOwner
{
    /// <summary>Made when the first is needed: most owners never have one.</summary>
    ContinuationPoints<BrowseCursor> BrowsePoints { get; }
}
