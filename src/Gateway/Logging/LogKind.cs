namespace Gateway.Host.Logging;

/// <summary>Lines that are alike: those of one place in the code.</summary>
/// <param name="Category">Of the logger.</param>
/// <param name="EventId">Its number.</param>
/// <param name="Name">Its name; of a line without an event id the template.</param>
internal readonly record struct LogKind(string Category, int EventId, string? Name);
