namespace Gateway.Publish;

/// <summary>Where the engine's own errors are written. Made before they happen: making it then could fail, too.
/// </summary>
/// <param name="SweepFailed">The error that ended a sweep.</param>
/// <param name="SourceFailed">The exception of a source that was polled.</param>
/// <param name="PollTurnFailed">An error in the polling of nodes.</param>
internal sealed record PublishFaultLog(
    Action<Exception> SweepFailed, Action<Exception> SourceFailed, Action<Exception> PollTurnFailed);
