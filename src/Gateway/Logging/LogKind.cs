namespace Gateway.Host.Logging;

/// <summary>The key of lines from the same place in the code.</summary>
/// <param name="Category">The logger's category.</param>
/// <param name="EventId">The number of the event id.</param>
/// <param name="Name">The name of the event id; for a line without an event id its template.</param>
internal readonly record struct LogKind(string Category, int EventId, string? Name);
