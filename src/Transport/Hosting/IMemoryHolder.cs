namespace Gateway.Transport.Hosting;

/// <summary>A connection that holds part of a message, or output that its peer does not take; or a session whose
/// requests wait.</summary>
public interface IMemoryHolder
{
    long HeldBytes { get; }

    /// <summary>It releases memory already.</summary>
    bool IsEnding { get; }

    /// <summary>It holds the most and the budget is spent: it must release memory. From any thread; must not
    /// block.</summary>
    void ReleaseForBudget();
}
