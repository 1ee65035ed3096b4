namespace Gateway.Publish.Durable;

/// <summary>The first byte of a record in the file of a durable subscription.</summary>
internal enum SavedKind : byte
{
    /// <summary>Items, as far as they have changed.</summary>
    Items = 1,

    /// <summary>NotificationMessages that are not acknowledged.</summary>
    Messages = 2,

    /// <summary>The subscription itself. Records before it count from here on.</summary>
    Commit = 3,
}
