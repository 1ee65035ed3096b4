namespace Gateway.Transport.Hosting;

/// <summary>A connection that holds part of a message, or output that its peer does not take; or a session whose
/// requests wait.</summary>
public interface IMemoryHolder
{
    long HeldBytes { get; }

    /// <summary>It lets go already.</summary>
    bool IsEnding { get; }

    /// <summary>It holds the most and the budget is spent: let go. From any thread; must not block.</summary>
    void ReleaseForBudget();
}
