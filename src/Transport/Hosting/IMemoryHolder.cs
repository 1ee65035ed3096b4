namespace Gateway.Transport.Hosting;

/// <summary>A connection that holds part of a message, or output that its peer does not take.</summary>
internal interface IMemoryHolder
{
    long HeldBytes { get; }

    /// <summary>It holds the most and the budget is spent: close. From any thread; must not block.</summary>
    void ReleaseForBudget();
}
