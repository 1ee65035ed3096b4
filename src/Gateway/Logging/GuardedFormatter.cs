using System.Text;
using Gateway.Codec.Text;
using Gateway.Transport.Tracing;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Logging.Console;

namespace Gateway.Host.Logging;

/// <summary>
/// Every log line passes through this formatter, whichever code logged it. <see cref="LogThrottle"/> bounds the lines.
/// Control characters are escaped, so that a terminal or a line reader takes nothing in them for a command (R24). The
/// inner formatter decides the layout. Any thread.
/// </summary>
internal sealed class GuardedFormatter(ConsoleFormatter inner, LogThrottle throttle) : ConsoleFormatter(FormatterName)
{
    public const string FormatterName = "guarded";

    private const string TemplateKey = "{OriginalFormat}";

    public override void Write<TState>(
        in LogEntry<TState> logEntry, IExternalScopeProvider? scopeProvider, TextWriter textWriter)
    {
        if (logEntry.State is not LogGap)
        {
            var template = TemplateOf(logEntry.State);
            var id = logEntry.EventId;
            var kind = new LogKind(
                logEntry.Category, id.Id, id.Id == 0 && id.Name is null ? template : id.Name);
            if (!throttle.TryTake(kind, template))
                return;
        }

        var message = PeerText.EscapeLine(
            logEntry.Formatter?.Invoke(logEntry.State, logEntry.Exception), CleanState.MaxLineLength);
        var clean = new LogEntry<CleanState>(
            logEntry.LogLevel, logEntry.Category, logEntry.EventId,
            new CleanState(message, logEntry.State, RequestTracing.Current),
            logEntry.Exception is null ? null : new CleanException(logEntry.Exception),
            static (state, _) => state.ToString());
        using var line = new StringWriter();
        inner.Write(clean, scopeProvider, line);
        var text = line.GetStringBuilder();
        throttle.Wrote(Encoding.UTF8.GetByteCount(text.ToString()));
        textWriter.Write(text);
    }

    private static string? TemplateOf<TState>(TState state)
    {
        if (state is not IReadOnlyList<KeyValuePair<string, object?>> values || values.Count == 0)
            return null;
        // By convention it is the last entry.
        var (key, value) = values[^1];
        return key == TemplateKey ? value as string : null;
    }
}
