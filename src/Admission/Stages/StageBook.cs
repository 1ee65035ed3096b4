namespace Gateway.Admission.Stages;

/// <summary>Totals by stage and reason. Counting is one interlocked add. Threads: any.</summary>
public sealed class StageBook
{
    private static readonly int Stages = Enum.GetValues<AdmissionStage>().Length;
    private static readonly int Reasons = Enum.GetValues<RefusalReason>().Length;

    private readonly long[] _admitted = new long[Stages];
    private readonly long[] _queued = new long[Stages];
    private readonly long[] _shed = new long[Stages * Reasons];
    private readonly Func<long>?[] _use = new Func<long>?[Stages];
    private readonly Func<long>?[] _waiting = new Func<long>?[Stages];
    private readonly long[] _limits = new long[Stages];

    public void Admit(AdmissionStage stage) => Interlocked.Increment(ref _admitted[(int)stage]);

    /// <summary>It has to wait; it is admitted or shed later.</summary>
    public void Queue(AdmissionStage stage) => Interlocked.Increment(ref _queued[(int)stage]);

    public void Shed(AdmissionStage stage, RefusalReason reason) =>
        Interlocked.Increment(ref _shed[((int)stage * Reasons) + (int)reason]);

    public long Admitted(AdmissionStage stage) => Volatile.Read(ref _admitted[(int)stage]);

    public long Queued(AdmissionStage stage) => Volatile.Read(ref _queued[(int)stage]);

    public long Shedded(AdmissionStage stage, RefusalReason reason) =>
        Volatile.Read(ref _shed[((int)stage * Reasons) + (int)reason]);

    /// <summary>At all stages, for all reasons.</summary>
    public long TotalShedded
    {
        get
        {
            var sum = 0L;
            for (var i = 0; i < _shed.Length; i++)
                sum += Volatile.Read(ref _shed[i]);
            return sum;
        }
    }

    /// <summary>Once, when the parts are built: the stage's present use, the number that wait at it, and its
    /// limit.</summary>
    public void Describe(AdmissionStage stage, long limit, Func<long> use, Func<long>? waiting = null)
    {
        _limits[(int)stage] = limit;
        _use[(int)stage] = use;
        _waiting[(int)stage] = waiting;
    }

    /// <summary>0: the stage has no limit of its own.</summary>
    public long Limit(AdmissionStage stage) => _limits[(int)stage];

    public long Use(AdmissionStage stage) => _use[(int)stage]?.Invoke() ?? 0;

    public long Waiting(AdmissionStage stage) => _waiting[(int)stage]?.Invoke() ?? 0;
}
