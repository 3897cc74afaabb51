"""Keeps the `models` partitions in step with the roster."""

import dagster as dg

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.partitions import models, roster


@dg.sensor(
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Gives every model of assets/models.yaml its partition. Asks nothing.",
)
def roster_partitions(context: dg.SensorEvaluationContext) -> dg.SensorResult:
    """Add the partitions that are missing; a model that left the roster keeps its own."""
    try:
        ids = [model.id for model in roster().models]
    except InputError as error:
        return dg.SensorResult(skip_reason=str(error))
    known = set(context.instance.get_dynamic_partitions("models"))
    new = [model_id for model_id in ids if model_id not in known]
    if not new:
        return dg.SensorResult(skip_reason=f"all {len(ids)} models have their partition")
    return dg.SensorResult(dynamic_partitions_requests=[models.build_add_request(new)])
