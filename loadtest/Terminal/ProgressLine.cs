using System.Globalization;

namespace Gateway.Loadtest.Terminal;

/// <summary>The current activity: on a terminal one line that is written over, otherwise a line every five seconds and
/// at each change of phase. Threads: any may count; the timer writes.</summary>
internal sealed class ProgressLine : IDisposable
{
    private readonly Lock _lock = new();
    private readonly TextWriter _output;
    private readonly bool _isTerminal;
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private string _phase = string.Empty;
    private Func<long>? _done;
    private long _total;
    private long _since;
    private int _width;

    public ProgressLine(TextWriter output, bool isTerminal, TimeProvider time)
    {
        _output = output;
        _isTerminal = isTerminal;
        _time = time;
        var period = isTerminal ? TimeSpan.FromMilliseconds(250) : TimeSpan.FromSeconds(5);
        _timer = time.CreateTimer(static self => ((ProgressLine)self!).Tick(), this, period, period);
    }

    public static ProgressLine OnTerminal(TextWriter output) =>
        new(output, !Console.IsOutputRedirected, TimeProvider.System);

    /// <param name="phase">The current activity.</param>
    /// <param name="total">0: no known end; then <paramref name="done"/> is a bare count.</param>
    /// <param name="done">How far it is; asked for on the timer's thread.</param>
    public void Begin(string phase, long total = 0, Func<long>? done = null)
    {
        lock (_lock)
        {
            _phase = phase;
            _total = total;
            _done = done;
            _since = _time.GetTimestamp();
            WriteUnderLock();
        }
    }

    /// <summary>A phase of known length: the seconds count by themselves.</summary>
    public void BeginSeconds(string phase, double seconds)
    {
        var since = _time.GetTimestamp();
        Begin(phase + ", seconds", (long)Math.Ceiling(seconds), () => (long)_time.GetElapsedTime(since).TotalSeconds);
    }

    /// <summary>A line that stays.</summary>
    public void Say(string text)
    {
        lock (_lock)
        {
            ClearUnderLock();
            _output.WriteLine(text);
        }
    }

    /// <summary>Before other output: the line is gone and nothing is written until the next phase.</summary>
    public void Clear()
    {
        lock (_lock)
        {
            ClearUnderLock();
            _phase = string.Empty;
        }
    }

    public void Dispose()
    {
        _timer.Dispose();
        Clear();
    }

    private void Tick()
    {
        lock (_lock)
        {
            if (_phase.Length > 0)
                WriteUnderLock();
        }
    }

    private void WriteUnderLock()
    {
        var seconds = _time.GetElapsedTime(_since).TotalSeconds;
        var done = _done?.Invoke() ?? 0;
        var text = (_total, _done) switch
        {
            (_, null) when seconds < 1 => _phase,
            (_, null) => string.Create(CultureInfo.InvariantCulture, $"{_phase}, {seconds:0} s"),
            (0, _) => string.Create(CultureInfo.InvariantCulture, $"{_phase}: {done:N0}"),
            _ => string.Create(CultureInfo.InvariantCulture, $"{_phase}: {done:N0} of {_total:N0}, {seconds:0} s"),
        };
        if (!_isTerminal)
        {
            _output.WriteLine(text);
            return;
        }

        _output.Write('\r' + text.PadRight(_width));
        _output.Flush();
        _width = text.Length;
    }

    private void ClearUnderLock()
    {
        if (!_isTerminal || _width == 0)
            return;
        _output.Write('\r' + new string(' ', _width) + '\r');
        _output.Flush();
        _width = 0;
    }
}
