using System.Runtime.CompilerServices;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Model;
using Gateway.Events.Values;

namespace Gateway.Events.Filters;

/// <summary>
/// An EventFilter, ready to be asked: which events pass, and which fields they deliver. Items with equal filters share
/// one (<see cref="Key"/>). Evaluation has three values and does not recurse; an error while it looks at an event makes
/// the operand null. Immutable but for its plans, one for each layout of events; thread-safe.
/// Source: Part 4 §7.7.3, §7.22.3.
/// </summary>
public sealed class CompiledFilter
{
    private const int LargestFields = 16;

    private const int SmallFieldBytes = 64;

    private readonly NodeTable _nodes;
    private readonly FieldSelection[] _selects;
    private readonly WhereElement[] _where;

    /// <summary>Layouts of upstreams come and go, and a filter may outlive many.</summary>
    private readonly ConditionalWeakTable<EventLayout, FilterPlan> _plans = [];

    internal CompiledFilter(
        NodeTable nodes, byte[] key, FieldSelection[] selects, FieldSelection[] whereFields, WhereElement[] where)
    {
        _nodes = nodes;
        Key = key;
        _selects = selects;
        WhereFields = whereFields;
        _where = where;
    }

    /// <summary>The filter as it is encoded: equal filters have equal keys.</summary>
    public byte[] Key { get; }

    public int SelectCount => _selects.Length;

    /// <summary>Results that <c>Passes</c> needs room for.</summary>
    public int ElementCount => _where.Length;

    internal FieldSelection[] WhereFields { get; }

    /// <summary>A filter that ends in NULL is FALSE; without elements it is TRUE.</summary>
    /// <param name="record">The event.</param>
    /// <param name="results">Room for at least <see cref="ElementCount"/>; of no meaning afterwards.</param>
    public bool Passes(EventRecord record, Span<Variant> results)
    {
        var steps = int.MaxValue;
        return Passes(record, results, ref steps);
    }

    /// <summary>The same, within a bound of work (R44).</summary>
    /// <param name="record">The event.</param>
    /// <param name="results">Room for at least <see cref="ElementCount"/>; of no meaning afterwards.</param>
    /// <param name="steps">That it may take: one for each element and operand, those of Like, and those of large
    /// values. Below 0 afterwards: it was ended, the result is FALSE, and the complement is what is left.</param>
    public bool Passes(EventRecord record, Span<Variant> results, ref int steps)
    {
        if (_where.Length == 0)
            return true;
        var plan = PlanOf(record.Layout);
        // An operand is an element further on, so all of them are known when it is their element's turn.
        for (var i = _where.Length - 1; i >= 0 && steps >= 0; i--)
        {
            if (_where[i].IsReachable)
                results[i] = Evaluate(i, plan, record, results, ref steps);
        }

        var passes = steps >= 0 && results[0].AsBoolean();
        results[.._where.Length].Clear();
        return passes;
    }

    /// <summary>The Variant that holds the array of fields, in the order of the select clauses; a null Variant for a
    /// field that the event does not have.</summary>
    /// <param name="record">The event.</param>
    /// <param name="writer">Where they go.</param>
    /// <param name="maxFieldBytes">A larger field gives Bad_EncodingLimitsExceeded in its place, and so do those behind
    /// <see cref="LargestFields"/> as large ones: clauses may ask for one field many times.</param>
    public void WriteFields(EventRecord record, ref UaBinaryWriter writer, int maxFieldBytes)
    {
        var steps = int.MaxValue;
        TryWriteFields(record, ref writer, maxFieldBytes, ref steps);
    }

    /// <summary>The same, within a bound of work (R44).</summary>
    /// <param name="record">The event.</param>
    /// <param name="writer">Where they go.</param>
    /// <param name="maxFieldBytes">As above.</param>
    /// <param name="steps">That it may take: one for each clause, half of the bytes of a field that is not small, and
    /// the whole value where a part of it is selected. Below 0 afterwards: as of <c>Passes</c>.</param>
    /// <returns>False: it was ended, and what is written means nothing.</returns>
    public bool TryWriteFields(EventRecord record, ref UaBinaryWriter writer, int maxFieldBytes, ref int steps)
    {
        const byte VariantArray = 0x80 | (byte)BuiltInType.Variant;
        var plan = PlanOf(record.Layout);
        var end = writer.Position + (LargestFields * maxFieldBytes);
        writer.WriteByte(VariantArray);
        writer.WriteInt32(_selects.Length);
        for (var i = 0; i < _selects.Length; i++)
        {
            var start = writer.Position;
            var slot = plan.SelectSlots[i];
            ValueWork.Take(1, ref steps);
            if (slot >= 0 && !_selects[i].Range.IsEmpty && steps >= 0)
                ValueWork.Take(ValueWork.Of(record.Values[slot], steps), ref steps);
            if (steps < 0)
                return false;
            if (slot < 0 || start < end)
            {
                writer.WriteVariant(Select(record, slot, _selects[i].Range));
                var written = writer.Position - start;
                if (written > SmallFieldBytes && (steps -= written / ValueWork.LengthPerStep) < 0)
                {
                    steps = ~0;
                    return false;
                }

                if (written <= maxFieldBytes)
                    continue;
                writer.RewindTo(start);
            }

            writer.WriteVariant(new Variant(new StatusCode(StatusCodes.BadEncodingLimitsExceeded)));
        }

        return true;
    }

    private static Variant Select(EventRecord record, int slot, in NumericRange range)
    {
        if (slot < 0)
            return default;
        ref readonly var value = ref record.Values[slot];
        if (range.IsEmpty || IsErrorIn(record, slot))
            return value;
        var status = range.Apply(value, out var part);
        return status.IsBad ? new Variant(status) : part;
    }

    /// <summary>A StatusCode that stands in place of a field's value.</summary>
    private static bool IsErrorIn(EventRecord record, int slot) =>
        record.Values[slot].Type == BuiltInType.StatusCode &&
        record.Layout.Fields[slot].Type != BuiltInType.StatusCode;

    private Variant Evaluate(
        int index, FilterPlan plan, EventRecord record, ReadOnlySpan<Variant> results, ref int steps)
    {
        ref readonly var element = ref _where[index];
        if (element.Operator == FilterOperator.OfType)
        {
            steps--;
            return new Variant(plan.IsOfType[index]);
        }

        var operands = new OperandValues(element.Operands, WhereFields, plan, record, results);
        return WhereOperators.Evaluate(element.Operator, operands, ref steps);
    }

    private FilterPlan PlanOf(EventLayout layout) =>
        _plans.TryGetValue(layout, out var plan) ? plan : _plans.GetValue(layout, MakePlan);

    private FilterPlan MakePlan(EventLayout layout)
    {
        var isOfType = new bool[_where.Length];
        for (var i = 0; i < _where.Length; i++)
        {
            isOfType[i] = _where[i] is { Operator: FilterOperator.OfType, IsReachable: true } element &&
                IsOfType(layout, element.Operands[0].Literal.AsNodeId());
        }

        return new FilterPlan(
            Array.ConvertAll(_selects, select => SlotOf(layout, select)),
            Array.ConvertAll(WhereFields, field => SlotOf(layout, field)),
            isOfType);
    }

    private int SlotOf(EventLayout layout, in FieldSelection selection)
    {
        if (!selection.IsUsable)
            return -1;
        var isAny = selection.EventType == new NodeId(StandardIds.ObjectTypes.BaseEventType);
        return isAny || IsOfType(layout, selection.EventType) ? layout.SlotOf(selection.Path) : -1;
    }

    private bool IsOfType(EventLayout layout, NodeId type) =>
        layout.EventType == type || _nodes.IsSubtypeOf(layout.EventType, type);

    /// <summary>The operands of an element, as values.</summary>
    internal readonly ref struct OperandValues(
        WhereOperand[] operands, FieldSelection[] fields, FilterPlan plan, EventRecord record,
        ReadOnlySpan<Variant> results)
    {
        private readonly ReadOnlySpan<Variant> _results = results;

        public int Count => operands.Length;

        /// <summary>A copy of a part of a field is made each time that it is asked for.</summary>
        public bool IsPart(int index) =>
            operands[index].Kind == OperandKind.Field && !fields[operands[index].Index].Range.IsEmpty;

        /// <summary>Of the whole value: see <see cref="ValueWork"/>.</summary>
        public long WorkOf(int index, long most)
        {
            ref readonly var operand = ref operands[index];
            if (operand.Kind == OperandKind.Literal)
                return operand.Work;
            if (operand.Kind == OperandKind.Element)
                return ValueWork.Of(_results[operand.Index], most);
            var slot = plan.WhereSlots[operand.Index];
            return slot < 0 ? 0 : ValueWork.Of(record.Values[slot], most);
        }

        /// <summary>A StatusCode in place of a value is null.</summary>
        public Variant this[int index]
        {
            get
            {
                ref readonly var operand = ref operands[index];
                if (operand.Kind == OperandKind.Literal)
                    return operand.Literal;
                if (operand.Kind == OperandKind.Element)
                    return _results[operand.Index];
                var slot = plan.WhereSlots[operand.Index];
                if (slot < 0 || IsErrorIn(record, slot))
                    return default;
                ref readonly var value = ref record.Values[slot];
                return fields[operand.Index].Range.Apply(value, out var part).IsBad ? default : part;
            }
        }
    }
}
