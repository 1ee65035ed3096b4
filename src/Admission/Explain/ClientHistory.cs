using Gateway.Admission.Clients;

namespace Gateway.Admission.Explain;

/// <summary>Which accounts did most in the last ticks: a trace for each account that the <see cref="ClientBook"/>
/// holds, and no other. Not thread-safe: <see cref="AdmissionExplainer"/> locks.</summary>
internal sealed class ClientHistory(Func<IEnumerable<ClientAccount>> accounts, int ticks)
{
    private readonly Dictionary<ClientAccount, ClientTrace> _traces = [];
    private int _walk;

    public int Traced => _traces.Count;

    public void Tick()
    {
        Follow();
        foreach (var trace in _traces.Values)
            trace.Tick();
    }

    /// <summary>Most attempts in the running tick and so many finished ones first.</summary>
    public IReadOnlyList<ClientTrace> Busiest(int count, int overTicks)
    {
        Follow();
        return
        [
            .. _traces.Values
                .Where(trace => trace.Attempts(overTicks) > 0)
                .OrderByDescending(trace => trace.Attempts(overTicks))
                .ThenBy(trace => trace.Account.Key, StringComparer.Ordinal)
                .Take(count),
        ];
    }

    private void Follow()
    {
        _walk++;
        foreach (var account in accounts())
        {
            if (!_traces.TryGetValue(account, out var trace))
                _traces[account] = trace = new ClientTrace(account, ticks);
            trace.Walk = _walk;
        }
        foreach (var (account, trace) in _traces)
        {
            if (trace.Walk != _walk)
                _traces.Remove(account);
        }
    }
}
