namespace Gateway.Events.Delivery;

/// <summary>How an event changes an item's memory of the conditions that it has shown as retained. Source: Part 9
/// §5.5.2.</summary>
public enum ShownMark : byte
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>It shows the condition as retained.</summary>
    Shows,

    /// <summary>It shows it as not retained.</summary>
    Ends,

    /// <summary>As <see cref="Ends"/>, for those items alone that have shown it as retained.</summary>
    EndsShown,
}
