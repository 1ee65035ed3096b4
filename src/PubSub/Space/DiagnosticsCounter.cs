namespace Gateway.PubSub.Space;

/// <summary>One counter of a diagnostics object. Source: Part 14 §9.1.11.5.</summary>
/// <param name="Name">Its BrowseName.</param>
/// <param name="IsError">Its classification, and whether TotalError or TotalInformation has it.</param>
/// <param name="IsOwn">It is the gateway's, not the standard's.</param>
internal sealed record DiagnosticsCounter(string Name, bool IsError = false, bool IsOwn = false);
